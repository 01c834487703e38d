import { wordsOf } from '../text/folding.ts';
import { isLongerThan } from '../text/text.ts';
import { distinctByName } from './name-key.ts';
import type { BookState } from './tables.ts';

/**
 * The series that a book belongs to. Titles name them: `The Hunger Games (The Hunger Games, #1)`.
 */

/** A series, and the first and the last number of the book in it, in hundredths. */
export type BookInSeries = NonNullable<BookState['series']>[number];

/** The place of a book in a series. */
export interface PlaceInSeries {
  readonly series: { readonly name: string };
  /** The number of the book, or its first and last number: `1-3`; null if it has none. */
  readonly position: string | null;
}

/** The maximum number of series of a book. */
export const SERIES_MAX = 10;
/** The maximum length of the name of a series, in code points. */
export const SERIES_NAME_LENGTH_MAX = 200;

/** The number of a book without a number, which comes after all others in the lists. */
export const NO_NUMBER = 2 ** 31 - 1;

const NUMBER = String.raw`\d{1,5}(?:\.\d{1,2})?`;
const NUMBERS = String.raw`(${NUMBER})(?:\s*[-–]\s*(${NUMBER}))?(?![\d.])`;
const NUMBERS_AT_START = new RegExp(String.raw`^\s*${NUMBERS}`);
const NUMBERS_ALONE = new RegExp(String.raw`^\s*${NUMBERS}\s*$`);

/** The remark at the end of a title. */
const REMARK = /[([]([^()[\]]*)[)\]]\s*$/u;
/** The maximum length of the part of a remark about one series, in UTF-16 units. */
const PART_LENGTH_MAX = 2 * SERIES_NAME_LENGTH_MAX + 50;

/** Reads numbers in a series, such as `1`, `2.5` and `1-3`; `undefined` if a text has none. */
export function numbersIn(text: string, pattern = NUMBERS_ALONE): Omit<BookInSeries, 'name'> | undefined {
  const [, first, last = first] = pattern.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [number_from, number_to] = [first, last].map((number) => Math.round(Number(number) * 100)) as [number, number];
  return number_to < number_from ? undefined : { number_from, number_to };
}

/** Returns the position of a book in a series: `1`, `2.5` or `1-3`; null if it has no number. */
export function positionOf({ number_from, number_to }: Omit<BookInSeries, 'name'>): string | null {
  if (number_from === null || number_to === null || number_from === NO_NUMBER) return null;
  const [first, last] = [number_from / 100, number_to / 100];
  return first === last ? String(first) : `${first}-${last}`;
}

/** True for a name by which a series can be found. */
export const isSeriesName = (name: string): boolean =>
  wordsOf(name).length > 0 && !isLongerThan(name, SERIES_NAME_LENGTH_MAX);

/** Returns the series of a book: those that were given, or otherwise those that its title names. */
export const seriesOf = ({ title, series }: Pick<BookState, 'title' | 'series'>): BookInSeries[] =>
  series ?? distinctSeries(seriesInTitle(title)).slice(0, SERIES_MAX);

/** Returns the place of a book in each of its series. */
export const placesInSeries = (state: Pick<BookState, 'title' | 'series'>): PlaceInSeries[] =>
  seriesOf(state).map((each) => ({ series: { name: each.name }, position: positionOf(each) }));

/** Removes the series that are named again, also in another spelling. */
export const distinctSeries = (series: readonly BookInSeries[]): BookInSeries[] =>
  distinctByName(series, ({ name }) => name);

function seriesInTitle(title: string): BookInSeries[] {
  const [, remark = ''] = REMARK.exec(title) ?? [];
  return remark.split(';').flatMap((part) => {
    const at = part.lastIndexOf('#');
    if (at < 0 || part.length > PART_LENGTH_MAX) return [];
    const name = part
      .slice(0, at)
      .replace(/[\s,]+$/, '')
      .trim();
    const numbers = numbersIn(part.slice(at + 1), NUMBERS_AT_START);
    return numbers && isSeriesName(name) ? [{ name, ...numbers }] : [];
  });
}
