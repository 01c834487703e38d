import type { BookState } from './tables.ts';

/** The editions of works, and the books by further ISBNs and by the ids of other catalogues. */

/** The fields of a book that decide its rows. */
type Listing = Pick<NonNullable<BookState['former']>, 'popularity' | 'work_id' | 'source_ids' | 'other_isbns'>;

/** The work_id of a work of Goodreads. */
export const workOfGoodreads = (number: string): string => `goodreads-work-${number}`;

/** The source_id of an edition of Goodreads. */
export const sourceOfGoodreads = (number: string): string => `goodreads:${number}`;

/** The number of an edition of Goodreads; `undefined` for an id of another source. */
export const numberAtGoodreads = (sourceId: string): string | undefined => /^goodreads:(\d+)$/.exec(sourceId)?.[1];

/** The work of a book. A book that points to none is the only edition of a work with its id. */
export const workIdOf = (bookId: string, { work_id }: Pick<BookState, 'work_id'>): string => work_id ?? bookId;

/** The rows of a book in each list. */
export const editionRows = (book_id: string, listing: Listing) => ({
  work: [{ work_id: workIdOf(book_id, listing), popularity: listing.popularity, book_id }],
  isbn: (listing.other_isbns ?? []).map((isbn) => ({ isbn, book_id })),
  source: (listing.source_ids ?? []).map((source_id) => ({ source_id, book_id })),
});
