import { keysInParts } from '../cassandra/statement-builders.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { beginJobOf } from '../jobs/operations.ts';
import { listingOf, titleKeysOf, possibleTitleKeys, titlePrefix } from './listing.ts';
import { selectBooks, type BookState } from './tables.ts';

/**
 * References to books in readers' files, and the terms that match references to books. A book with
 * new terms begins a job, whose handler finds the lines that wait for the book.
 */

/** The kind of that job. Its subject is one book, or several books of a file. */
export const BOOKS_ARRIVED = 'BOOKS_ARRIVED';

/** The fields of a book that its terms are made from. */
type Listing = NonNullable<BookState['former']>;

const isbnTerm = (isbn: string): string => `isbn:${isbn}`;

/** The part of a line that names its book. */
export interface BookReference {
  readonly sourceIds: readonly string[];
  readonly isbns: readonly string[];
  readonly title: string;
  readonly authors: readonly string[];
}

/** Returns the terms of a reference, each once. */
export const termsOfReference = ({ isbns, sourceIds, title }: BookReference): string[] => [
  ...new Set([...sourceIds, ...possibleTitleKeys(title).map(titlePrefix), ...isbns.map(isbnTerm)]),
];

/** Returns the terms of a book: its ISBNs, its ids at other sources and its titles. */
const termsOf = (bookId: string, listing: Listing): string[] => [
  ...[bookId, ...(listing.other_isbns ?? [])].map(isbnTerm),
  ...(listing.source_ids ?? []),
  ...titleKeysOf(listing).map(titlePrefix),
];

/**
 * Returns the current terms of the books of a job, in order.
 * @param key the key of the job's subject
 */
export async function termsOfArrived({ cassandra }: AppContext, key: string): Promise<string[]> {
  const found = await rows(cassandra, selectBooks, { book_ids: key.split(SEPARATOR) });
  const terms = found.flatMap(({ book_id, state }) => {
    const listing = listingOf(state);
    return listing ? termsOf(book_id, listing) : [];
  });
  return [...new Set(terms)].toSorted();
}

/** Returns true if the newest change has given a book a new term. */
export function hasNewTerm(bookId: string, state: BookState): boolean {
  const now = listingOf(state);
  if (!now) return false;
  const before = new Set(state.former ? termsOf(bookId, state.former) : []);
  return termsOf(bookId, now).some((term) => !before.has(term));
}

/** Separates the ids in the key of a job about several books. */
const SEPARATOR = ',';

/** Begins the jobs for books of a file. */
export async function beginArrivals(app: AppContext, bookIds: readonly string[]): Promise<void> {
  const now = app.clock();
  for (const some of keysInParts(bookIds))
    await beginJobOf(app, `Books:${some.join(SEPARATOR)}`, BOOKS_ARRIVED, 'file', now);
}
