import type { AppContext } from '../context/context.ts';
import type { Book } from './book.ts';
import type { BookReference } from './book-references.ts';
import { supportOf } from './likeness.ts';
import { authorTerm, hasWords, possibleTitleKeys, titlePrefix } from './listing.ts';
import { nameKey } from './name-key.ts';
import { booksNow } from './operations.ts';
import { bookBySource, booksWithWord, editionsByIsbn } from './tables.ts';

/** Finds the book of a reference. It never guesses. */

/** The maximum number of books that are offered to a reader. */
export const CANDIDATES_MAX = 10;
/** The maximum number of books with one title whose authors are compared. */
const SAME_TITLE_MAX = 200;

/**
 * The matching book, or the candidates that the reader has to choose from. There are no candidates
 * if the catalogue lacks the book.
 */
export type Match =
  | { readonly bookId: string; readonly candidates?: never; readonly reason?: never }
  | { readonly bookId?: never; readonly candidates: readonly string[]; readonly reason: string };

const PERHAPS = 'This line may be about a book of the catalogue. Choose it, or none.';
const SEVERAL = 'Several books match this line. Choose one.';
const OTHER_ISBN =
  'The ISBN of this line belongs to a book with another title and author. Choose the right book, or none.';
const OTHER_ID =
  'The number of this line belongs to a book with another title and author. Choose the right book, or none.';
const OTHER_TITLE = 'The title of this line belongs to one book, and its ISBN or number to another one. Choose one.';

/**
 * Finds the book of a reference: by an id at its source, otherwise by the ISBN of any edition,
 * otherwise by title and author, compared as in a search. An id may only be a line number, and an
 * ISBN may be mistyped. They are used only if the title or an author agrees with the book, or if
 * there is no title. The reader has to choose if there are several books, if a title has no author,
 * or if the title, the id and the ISBN are of different works.
 */
export async function matchBook(app: AppContext, reference: BookReference): Promise<Match> {
  const [withId, ofIsbns] = await Promise.all([withSourceIds(app, reference), withIsbns(app, reference)]);
  const withIsbn = [...ofIsbns.keys()];
  if (withId.length === 0 && withIsbn.length === 0) return withTitle(app, reference);

  const others = withId.filter((id) => !ofIsbns.has(id));
  const books = new Map([...ofIsbns, ...(others.length > 0 ? await booksNow(app, others) : [])]);
  const supports = new Map([...books].map(([id, book]) => [id, supportOf(reference, book)] as const));
  const isSupported = (id: string) => supports.get(id) !== undefined;
  const [ids, isbns] = [withId.filter(isSupported), withIsbn.filter(isSupported)];
  const match = oneWork(books, ids, isbns);
  if (match.bookId !== undefined) {
    // If only the author agrees, another book of the author may have the title.
    return supports.get(match.bookId) === 'AUTHOR' ? unlessTitled(app, reference, match.bookId, books) : match;
  }
  if (match.candidates.length > 0) return match;

  const titled = await withTitle(app, reference);
  if (withIsbn.length === 0 && titled.bookId !== undefined) return titled;
  const candidates = titled.bookId === undefined ? titled.candidates : [titled.bookId];
  const reason = withIsbn.length > 0 ? OTHER_ISBN : OTHER_ID;
  return oneOf([...candidates, ...withId, ...withIsbn], { isCertain: false, reason });
}

/** Returns the book with the id, unless the ISBN belongs to another work. */
function oneWork(books: ReadonlyMap<string, Book>, ids: readonly string[], isbns: readonly string[]): Match {
  const [byId] = ids;
  if (byId === undefined) return oneOf(isbns);
  if (ids.length > 1 || isbns.length === 0 || isbns.includes(byId)) return oneOf(ids);
  const works = new Set([byId, ...isbns].map((id) => books.get(id)?.work.id));
  return works.size === 1 ? { bookId: byId } : oneOf([byId, ...isbns]);
}

/** Returns a book, unless the title and the authors of a line belong to another work. */
async function unlessTitled(
  app: AppContext,
  reference: BookReference,
  bookId: string,
  books: ReadonlyMap<string, Book>,
): Promise<Match> {
  const { bookId: other } = await withTitle(app, reference);
  if (other === undefined) return { bookId };
  const work = (await booksNow(app, [other])).get(other)?.work.id;
  return work === books.get(bookId)?.work.id
    ? { bookId }
    : oneOf([other, bookId], { isCertain: false, reason: OTHER_TITLE });
}

interface Doubt {
  /** False if even a single book is to be confirmed. */
  readonly isCertain?: boolean;
  /** The reason why the reader has to choose. */
  readonly reason?: string;
}

/** Returns the only book, if no other book is possible; otherwise the candidates. */
function oneOf(bookIds: readonly string[], { isCertain = true, reason: given }: Doubt = {}): Match {
  const [first, ...others] = new Set(bookIds);
  const reason = given ?? (others.length === 0 ? PERHAPS : SEVERAL);
  if (first === undefined) return { candidates: [], reason };
  return isCertain && others.length === 0
    ? { bookId: first }
    : { candidates: [first, ...others].slice(0, CANDIDATES_MAX), reason };
}

const firstRows = { descending: false, from: undefined, limit: CANDIDATES_MAX };

async function withSourceIds({ cassandra }: AppContext, { sourceIds }: BookReference): Promise<string[]> {
  const found = await Promise.all(sourceIds.map((source_id) => bookBySource.read(cassandra, { source_id }, firstRows)));
  return found.flat().map(({ book_id }) => book_id);
}

async function withIsbns(app: AppContext, { isbns }: BookReference): Promise<ReadonlyMap<string, Book>> {
  if (isbns.length === 0) return new Map();
  const own = [...(await booksNow(app, isbns))].filter(([, { isRemoved }]) => !isRemoved);
  if (own.length > 0) return new Map(own);

  const others = await Promise.all(isbns.map((isbn) => editionsByIsbn.read(app.cassandra, { isbn }, firstRows)));
  const bookIds = others.flat().map(({ book_id }) => book_id);
  return bookIds.length > 0 ? booksNow(app, bookIds) : new Map();
}

async function withTitle({ cassandra }: AppContext, { title, authors }: BookReference): Promise<Match> {
  const prefixes = possibleTitleKeys(title).map(titlePrefix);
  const slice = { descending: true, from: undefined, limit: SAME_TITLE_MAX };
  const found = await Promise.all(prefixes.map((prefix) => booksWithWord.read(cassandra, { prefix }, slice)));

  const terms = authors.map((name) => authorTerm(nameKey(name)));
  const isBy = (words: string) => terms.length === 0 || terms.some((term) => hasWords(words, [term]));
  const bookIds = found.flat().flatMap(({ book_id, words }) => (isBy(words) ? book_id : []));
  const isCertain = terms.length > 0 && found.every(({ length }) => length < SAME_TITLE_MAX);
  return oneOf(bookIds, { isCertain });
}
