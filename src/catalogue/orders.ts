import { sortKey } from '../text/sorting.ts';
import type { BookState } from './tables.ts';

/**
 * The lists of all books: by popularity, title, year and addition. A book has one place in each.
 * The lists are divided into consecutive partitions.
 */

/** The fields of a book that determine its places. */
type Listing = NonNullable<BookState['former']>;

const upTo = (highest: number): number[] => Array.from({ length: highest + 1 }, (_, number) => number);

/** The highest order of magnitude: at least a million ratings. */
const MAGNITUDE_MAX = 6;

/** The orders of magnitude of popularity, in powers of ten. */
export const MAGNITUDES: readonly number[] = upTo(MAGNITUDE_MAX);

/** The order of magnitude of a popularity. */
export const magnitudeOf = ({ popularity }: { readonly popularity: number }): number =>
  Math.min(String(Math.max(popularity, 0)).length - 1, MAGNITUDE_MAX);

/** The version number at the beginning of a {@link sortKey}, before the words. */
const KEY_VERSION = /^\d+ /;
const INITIAL_MAX = 27;

/** The letters from a to z, with one partition before and one after them. */
export const INITIALS: readonly number[] = upTo(INITIAL_MAX);

/** The partition of a title by its first letter. */
export function initialOf({ title_sort }: { readonly title_sort: string }): number {
  const first = title_sort.replace(KEY_VERSION, '').charAt(0);
  if (first < 'a') return 0;
  return first > 'z' ? INITIAL_MAX : first.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
}

/** The year of a book without a known year. It is before all real years. */
export const NO_YEAR = -10_000;
const FIRST_DECADE = 1900;
/** The period of 2010 and all later years. */
const PERIOD_MAX = 13;

/** The decades, with one partition for all years before them and one for no year. */
export const PERIODS: readonly number[] = upTo(PERIOD_MAX);

/** The partition of a year. */
export function periodOf({ published_year: year }: { readonly published_year: number }): number {
  if (year === NO_YEAR) return 0;
  return year < FIRST_DECADE ? 1 : Math.min(Math.floor((year - FIRST_DECADE) / 10) + 2, PERIOD_MAX);
}

/** The partition of the moment when a book was added: its year. */
export const additionYearOf = ({ added_at }: { readonly added_at: Date }): number => added_at.getUTCFullYear();

/** The first year in which a book may have been added. */
const FIRST_ADDITION = 2020;

/**
 * Returns the years in which books may have been added, with a tolerance for servers whose clock is
 * ahead.
 */
export const additionYears = (now: Date): number[] => {
  const latest = now.getUTCFullYear() + 1;
  return upTo(Math.max(latest - FIRST_ADDITION, 0)).map((index) => FIRST_ADDITION + index);
};

/** The place of a book in each list of all books. */
export function placesOf(book_id: string, { title, popularity, published_year, added_at }: Listing) {
  const byTitle = { title_sort: sortKey(title), book_id };
  const byYear = { published_year: published_year ?? NO_YEAR, popularity, book_id };
  return {
    popularity: { magnitude: magnitudeOf({ popularity }), popularity, book_id },
    title: { initial: initialOf(byTitle), ...byTitle },
    year: { period: periodOf(byYear), ...byYear },
    addition: { year: additionYearOf({ added_at }), added_at, book_id },
  };
}
