import type { AppContext } from '../context/context.ts';
import type { ToldBook } from './arrivals.ts';
import { authorTerm, hasWords, nameKey, titleKeysTold, titlePrefix } from './listing.ts';
import { booksNow } from './operations.ts';
import { bookBySource, booksWithWord, editionsByIsbn } from './tables.ts';

/** Finds the book that a line of somebody's list is about. Nothing is guessed. */

/** The maximum number of books that are offered to a reader. */
export const CANDIDATES_MAX = 10;
/** The maximum number of books with one title that are told apart by their authors. */
const SAME_TITLE_MAX = 200;

/** A book, or those among which the reader has to choose: none if the catalogue lacks the book. */
export type Match =
  | { readonly bookId: string; readonly candidates?: never }
  | { readonly bookId?: never; readonly candidates: readonly string[] };

/**
 * Finds the book that a line is about: by an id elsewhere, or else by the ISBN of any edition, or
 * else by title and author, as the search compares them. The reader has to choose if there are
 * several, if a title has no author, or if id and ISBN are of different works.
 */
export async function booksTold(app: AppContext, told: ToldBook): Promise<Match> {
  const [withId, withIsbn] = await Promise.all([withSourceIds(app, told), withIsbns(app, told)]);
  const [byId] = withId;
  if (byId === undefined) return withIsbn.length > 0 ? oneOf(withIsbn) : withTitle(app, told);
  if (withId.length > 1 || withIsbn.length === 0 || withIsbn.includes(byId)) return oneOf(withId);

  const books = await booksNow(app, [byId, ...withIsbn]);
  const works = new Set([...books.values()].map(({ work }) => work.id));
  return works.size === 1 ? { bookId: byId } : oneOf([byId, ...withIsbn]);
}

/** The only book, if it is certain that there is no other one; else the candidates. */
function oneOf(bookIds: readonly string[], isCertain = true): Match {
  const [first, ...others] = new Set(bookIds);
  if (first === undefined) return { candidates: [] };
  return isCertain && others.length === 0
    ? { bookId: first }
    : { candidates: [first, ...others].slice(0, CANDIDATES_MAX) };
}

const firstRows = { descending: false, from: undefined, limit: CANDIDATES_MAX };

async function withSourceIds({ cassandra }: AppContext, { sourceIds }: ToldBook): Promise<string[]> {
  const found = await Promise.all(sourceIds.map((source_id) => bookBySource.read(cassandra, { source_id }, firstRows)));
  return found.flat().map(({ book_id }) => book_id);
}

async function withIsbns(app: AppContext, { isbns }: ToldBook): Promise<string[]> {
  if (isbns.length === 0) return [];
  const own = [...(await booksNow(app, isbns)).values()].filter(({ isRemoved }) => !isRemoved);
  if (own.length > 0) return own.map(({ id }) => id);

  const others = await Promise.all(isbns.map((isbn) => editionsByIsbn.read(app.cassandra, { isbn }, firstRows)));
  return others.flat().map(({ book_id }) => book_id);
}

async function withTitle({ cassandra }: AppContext, { title, authors }: ToldBook): Promise<Match> {
  const prefixes = titleKeysTold(title).map(titlePrefix);
  const slice = { descending: true, from: undefined, limit: SAME_TITLE_MAX };
  const found = await Promise.all(prefixes.map((prefix) => booksWithWord.read(cassandra, { prefix }, slice)));

  const terms = authors.map((name) => authorTerm(nameKey(name)));
  const isBy = (words: string) => terms.length === 0 || terms.some((term) => hasWords(words, [term]));
  const bookIds = found.flat().flatMap(({ book_id, words }) => (isBy(words) ? book_id : []));
  const isCertain = terms.length > 0 && found.every(({ length }) => length < SAME_TITLE_MAX);
  return oneOf(bookIds, isCertain);
}
