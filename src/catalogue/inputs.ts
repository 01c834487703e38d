import { DateTime } from 'luxon';
import { invalidInput } from '../graphql/errors.ts';
import { readEach, readInput, shownInput } from '../graphql/inputs.ts';
import { pictureInput } from '../graphql/picture-urls.ts';
import { wordsOf } from '../text/folding.ts';
import { isLanguage } from '../text/languages.ts';
import { isLongerThan, isVisible, readShownText, tidied, type ReadText } from '../text/text.ts';
import { parseIsbn } from './isbn.ts';
import { distinctByName } from './name-key.ts';
import {
  distinctSeries,
  isSeriesName,
  numbersIn,
  SERIES_MAX,
  SERIES_NAME_LENGTH_MAX,
  type BookInSeries,
} from './series-names.ts';

/** Checks and normalises the fields of books, for imports and for administrators. */

/** The maximum length of a title or name, in code points. */
export const TEXT_LENGTH_MAX = 500;
export const AUTHORS_MAX = 50;
const GENRES_MAX = 10;
const GENRE_LENGTH_MAX = 50;
const PAGES_MAX = 100_000;
const OTHER_ISBNS_MAX = 20;
/** The maximum length of a description, in code points. */
const DESCRIPTION_LENGTH_MAX = 5_000;
/** The maximum length of a text with the code of a language, including pasted spaces. */
const LANGUAGE_UNITS_MAX = 200;
const YEAR_MIN = -5_000;
const YEAR_MAX = 2_200;

/** Removes duplicate authors or genres, also those in another spelling. */
export const distinctNames = (names: readonly string[]): string[] => distinctByName(names, (name) => name);

/** True if a book may have these genres. */
export const areGenres = (genres: readonly string[]): boolean =>
  genres.length <= GENRES_MAX &&
  genres.every((name) => !isLongerThan(name, GENRE_LENGTH_MAX) && wordsOf(name).length > 0 && isVisible(name));

export const isPages = (pages: number): boolean => pages >= 1 && pages <= PAGES_MAX;

/**
 * True for a possible year of publication: years before Christ are negative, and there is no year
 * 0.
 */
export const isYear = (year: number): boolean => year !== 0 && year >= YEAR_MIN && year <= YEAR_MAX;

/**
 * True for a year, a month or a day of the calendar since its year 1: `1998`, `1998-05`,
 * `1998-05-23`.
 */
export const isPartialDate = (date: string): boolean =>
  /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(date) &&
  isYear(Number(date.slice(0, 4))) &&
  DateTime.fromISO(date, { zone: 'utc' }).isValid;

/** @throws {UserError} `INVALID_INPUT` about `field` */
export const textInput = (field: string, text: string): string => shownInput([field], 'This', text, TEXT_LENGTH_MAX);

/** @throws {UserError} `INVALID_INPUT` about `field` */
export const optionalTextInput = (field: string, text: string | null): string | null =>
  text === null ? null : textInput(field, text);

/** Reads a description in a file. An empty one is none. */
export const readDescription = (text: string): ReadText | { text: null; problem?: never } =>
  text.trim() === '' ? { text: null } : readShownText(text, DESCRIPTION_LENGTH_MAX, 'KEPT');

/** @throws {UserError} `INVALID_INPUT` about `description` */
export const descriptionInput = (text: string | null): string | null =>
  text === null ? null : shownInput(['description'], 'A description', text, DESCRIPTION_LENGTH_MAX, 'KEPT');

/** @throws {UserError} `INVALID_INPUT` about `authors` */
export function authorsInput(authors: readonly string[]): string[] {
  if (authors.length < 1 || authors.length > AUTHORS_MAX)
    throw invalidInput(['authors'], `A book has 1 to ${AUTHORS_MAX} authors.`);
  return distinctNames(authors.map((author) => textInput('authors', author)));
}

/** @throws {UserError} `INVALID_INPUT` about `publishedYear` */
export function yearInput(year: number | null): number | null {
  if (year !== null && !isYear(year))
    throw invalidInput(
      ['publishedYear'],
      `A year is from ${YEAR_MIN} to ${YEAR_MAX}, and there is no year 0: 1 BC is -1.`,
    );
  return year;
}

/**
 * Reads the code of a language of ISO 639. It has at most 35 characters, the length that all
 * implementations of RFC 5646 must support (4.4.1).
 * @throws {UserError} `INVALID_INPUT` about `languageCode`
 */
export function languageInput(code: string | null): string | null {
  const given = code === null || code.length > LANGUAGE_UNITS_MAX ? code : tidied(code);
  if (given === null) return null;
  const [, language = ''] = /^(?=.{2,35}$)([A-Za-z]{2,3})(?:-[A-Za-z0-9]{2,8})*$/.exec(given) ?? [];
  if (isLanguage(language.toLowerCase())) return given;
  throw invalidInput(
    ['languageCode'],
    'This is no language of ISO 639-2 (eng) or BCP 47 (en-US). Send its code, or null.',
  );
}

/** @throws {UserError} `INVALID_INPUT` about `genres` */
export function genresInput(genres: readonly string[]): string[] {
  // One genre too many is enough to refuse the list.
  const named = genres.slice(0, GENRES_MAX + 1).map((genre) => textInput('genres', genre));
  if (!areGenres(named))
    throw invalidInput(
      ['genres'],
      `A book has at most ${GENRES_MAX} genres, each of 1 to ${GENRE_LENGTH_MAX} characters ` +
        'with a letter or digit.',
    );
  return distinctNames(named);
}

/** @throws {UserError} `INVALID_INPUT` about `pages` */
export function pagesInput(pages: number | null): number | null {
  if (pages !== null && !isPages(pages)) throw invalidInput(['pages'], `A book has 1 to ${PAGES_MAX} pages.`);
  return pages;
}

/** @throws {UserError} `INVALID_INPUT` about `publishedOn` */
export function dateInput(date: string | null): string | null {
  const given = date === null ? null : date.trim();
  if (given !== null && !isPartialDate(given))
    throw invalidInput(
      ['publishedOn'],
      `A date is a year from 1 to ${YEAR_MAX}, a month or a day of it: 1998, 1998-05 or 1998-05-23; ` +
        'there is no year 0.',
    );
  return given;
}

/** @throws {UserError} `INVALID_INPUT` about `coverUrl` */
export const coverInput = (url: string | null, hosts: readonly string[]): string | null =>
  pictureInput('coverUrl', 'A cover', url, hosts);

/** @throws {UserError} `INVALID_INPUT` about `field` */
export function isbnInput(field: string, text: string): string {
  const { isbn13, problem } = parseIsbn(text);
  if (problem !== undefined) throw invalidInput([field], `This ${problem}.`);
  return isbn13;
}

/** @throws {UserError} `INVALID_INPUT` about `otherIsbns` */
export function otherIsbnsInput(isbns: readonly string[]): string[] {
  if (isbns.length > OTHER_ISBNS_MAX)
    throw invalidInput(['otherIsbns'], `A book has at most ${OTHER_ISBNS_MAX} other ISBNs.`);
  return [...new Set(isbns.map((isbn) => isbnInput('otherIsbns', isbn)))];
}

/** A series of a book, and its place there, as an administrator gives them. */
export interface SeriesInput {
  readonly name: string;
  readonly position?: string | null;
}

/** @throws {UserError} `INVALID_INPUT` about `series`, or about a name or position in it */
export function seriesInput(series: readonly SeriesInput[]): BookInSeries[] | null {
  if (series.length > SERIES_MAX) throw invalidInput(['series'], `A book belongs to at most ${SERIES_MAX} series.`);
  const read = readEach(series, ({ name, position }, index) => {
    const path = ['series', String(index)];
    const { numbers, ...named } = readInput({
      name: () => seriesNameInput([...path, 'name'], name),
      numbers: () => positionInput([...path, 'position'], position ?? null),
    });
    return { ...named, ...numbers };
  });
  return read.length > 0 ? distinctSeries(read) : null;
}

function seriesNameInput(path: readonly string[], given: string): string {
  const name = shownInput(path, 'The name of a series', given, SERIES_NAME_LENGTH_MAX);
  if (isSeriesName(name)) return name;
  throw invalidInput(path, 'The name of a series has a letter or digit.');
}

function positionInput(path: readonly string[], position: string | null): Omit<BookInSeries, 'name'> {
  const numbers = position === null ? { number_from: null, number_to: null } : numbersIn(position);
  if (numbers) return numbers;
  throw invalidInput(
    path,
    'A position is a number from 0 to 99,999 with at most two decimals, or the first and the last one: 1, 2.5 or 1-3.',
  );
}
