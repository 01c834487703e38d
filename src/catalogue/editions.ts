import { workIdOf } from './book.ts';
import { nameKey } from './name-key.ts';
import { NO_NUMBER } from './series-names.ts';
import type { BookState } from './tables.ts';

/**
 * The editions of works, and the books by further ISBNs, by the ids of other catalogues and by
 * series.
 */

/** The fields of a book that decide its rows. */
type Listing = Pick<
  NonNullable<BookState['former']>,
  'popularity' | 'work_id' | 'source_ids' | 'other_isbns' | 'series'
>;

/** Returns the work_id of a work at Goodreads. */
export const workOfGoodreads = (number: string): string => `goodreads-work-${number}`;

/** Returns the source_id of an edition at Goodreads. */
export const sourceOfGoodreads = (number: string): string => `goodreads:${number}`;

/** Returns the number of an edition at Goodreads; `undefined` for an id at another source. */
export const numberAtGoodreads = (sourceId: string): string | undefined => /^goodreads:(\d+)$/.exec(sourceId)?.[1];

/** Returns the rows of a book in each list. */
export const editionRows = (book_id: string, listing: Listing) => ({
  work: [{ work_id: workIdOf(book_id, listing), popularity: listing.popularity, book_id }],
  isbn: (listing.other_isbns ?? []).map((isbn) => ({ isbn, book_id })),
  source: (listing.source_ids ?? []).map((source_id) => ({ source_id, book_id })),
  series: (listing.series ?? []).map(({ name, number_from, number_to }) => ({
    series: nameKey(name),
    number_from: number_from ?? NO_NUMBER,
    number_to: number_to ?? NO_NUMBER,
    book_id,
    name,
  })),
});
