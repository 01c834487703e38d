import type { AlsoLikedBook } from './tables.ts';

/**
 * The similarity of two books: the cosine of the angle between their vectors of likes, with a 1 for
 * each reader who likes the book. For such vectors it is `shared / sqrt(one * other)`, where `one`
 * and `other` are the numbers of likes. Badrul Sarwar and others, "Item-Based Collaborative
 * Filtering Recommendation Algorithms" (WWW 2001), compare items by it; Mukund Deshpande and George
 * Karypis, "Item-Based Top-N Recommendation Algorithms" (ACM TOIS 22, 2004), rank items not yet
 * chosen by the sum of it; Akira Ochiai (1957) used it for sets.
 */

/**
 * The minimum number of shared readers. A smaller number is weak evidence of similarity, and might
 * reveal a reader.
 */
export const SHARED_READERS_MIN = 5;
/** The maximum number of books in a list. */
export const ALSO_LIKED_MAX = 50;
/**
 * The maximum number of similar books considered for a list, including several editions of a work.
 */
const SIMILAR_MAX = 4 * ALSO_LIKED_MAX;
/** The maximum number of books whose likes are counted: those with the most shared readers. */
const CANDIDATES_MAX = 1_000;

/** The number of readers who like a book, by its id. */
export type SharedReaders = ReadonlyMap<string, number>;

/**
 * Counts the readers of a book who like other books.
 * @param likes the books that each reader likes
 * @returns the books with enough shared readers, those with the most first
 */
export function sharedReaders(bookId: string, likes: readonly (readonly string[])[]): SharedReaders {
  const counts = new Map<string, number>();
  for (const ofReader of likes) for (const id of new Set(ofReader)) counts.set(id, (counts.get(id) ?? 0) + 1);

  counts.delete(bookId);
  const enough = [...counts].filter(([, count]) => count >= SHARED_READERS_MIN);
  const most = enough.toSorted(([one, ofOne], [other, ofOther]) => ofOther - ofOne || compareIds(one, other));
  return new Map(most.slice(0, CANDIDATES_MAX));
}

/**
 * Returns the books most similar to a book, most similar first, including several editions of a
 * work.
 * @param readers the number of its readers in the sample
 * @param likesOf returns the number of likes of another book
 */
export function mostSimilar(
  readers: number,
  shared: SharedReaders,
  likesOf: (bookId: string) => number,
): AlsoLikedBook[] {
  const all = [...shared].map(([book_id, shared_readers]) => {
    // A count may lack a like that was read after it.
    const likes = Math.max(likesOf(book_id), shared_readers);
    return { book_id, shared_readers, score: shared_readers / Math.sqrt(readers * likes) };
  });
  return all.toSorted(bySimilarity).slice(0, SIMILAR_MAX);
}

/**
 * Returns the most similar edition of each work, without those of the book's own work.
 * @param similar books, most similar first
 * @param own the work of the book
 * @param workOf returns the work of another book; `undefined` for one that is left out
 */
export function onePerWork(
  similar: readonly AlsoLikedBook[],
  own: string,
  workOf: (bookId: string) => string | undefined,
): AlsoLikedBook[] {
  const works = new Set([own]);
  return similar.filter(({ book_id }) => {
    const work = workOf(book_id);
    if (work === undefined || works.has(work)) return false;
    works.add(work);
    return true;
  });
}

/** The order of a list: most similar first. */
export const bySimilarity = (one: AlsoLikedBook, other: AlsoLikedBook): number =>
  other.score - one.score || compareIds(one.book_id, other.book_id);

const compareIds = (one: string, other: string) => Number(one > other) - Number(one < other);
