import { keysInParts } from '../cassandra/by-key.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { beginJobOf } from '../jobs/operations.ts';
import { listingOf, titleKeysOf, titleKeysTold, titlePrefix } from './listing.ts';
import { selectBooks, type BookState } from './tables.ts';

/**
 * Books that come into the catalogue while others wait for them. A book that is found by more than
 * before begins a job, whose handler looks who waits for it.
 */

/** The kind of the job. Its subject is a book, or `Books:` with the ids of several, with commas. */
export const BOOKS_ARRIVED = 'BOOKS_ARRIVED';

/** The fields of a book by which it is found. */
type Listing = NonNullable<BookState['former']>;

const isbnTerm = (isbn: string): string => `isbn:${isbn}`;

/** The part of a line by which its book is found. */
export interface ToldBook {
  readonly sourceIds: readonly string[];
  readonly isbns: readonly string[];
  readonly title: string;
  readonly authors: readonly string[];
}

/** Returns the terms by which a book may be found that somebody's list tells, each once. */
export const termsTold = ({ isbns, sourceIds, title }: ToldBook): string[] => [
  ...new Set([...sourceIds, ...titleKeysTold(title).map(titlePrefix), ...isbns.map(isbnTerm)]),
];

/** Returns the terms by which a book is found: its ISBNs, its ids elsewhere and its titles. */
const termsOf = (bookId: string, listing: Listing): string[] => [
  ...[bookId, ...(listing.other_isbns ?? [])].map(isbnTerm),
  ...(listing.source_ids ?? []),
  ...titleKeysOf(listing).map(titlePrefix),
];

/** Returns the terms by which some books are found now, in order. */
export async function termsOfBooks({ cassandra }: AppContext, book_ids: readonly string[]): Promise<string[]> {
  const found = await rows(cassandra, selectBooks, { book_ids });
  const terms = found.flatMap(({ book_id, state }) => {
    const listing = listingOf(state);
    return listing ? termsOf(book_id, listing) : [];
  });
  return [...new Set(terms)].toSorted();
}

/** Returns true if the newest change lets a book be found by more than before. */
export function isFoundAnew(bookId: string, state: BookState): boolean {
  const now = listingOf(state);
  if (!now) return false;
  const before = new Set(state.former ? termsOf(bookId, state.former) : []);
  return termsOf(bookId, now).some((term) => !before.has(term));
}

/** Begins the jobs for books of a file. */
export async function beginArrivals(app: AppContext, bookIds: readonly string[]): Promise<void> {
  const now = app.clock();
  for (const some of keysInParts(bookIds)) await beginJobOf(app, `Books:${some.join(',')}`, BOOKS_ARRIVED, 'file', now);
}
