import { UserError } from '../graphql/errors.ts';
import { tidied } from '../text/text.ts';
import { parseIsbn } from './isbn.ts';

/** What is entered about books, repaired as far as that is certain; for the import and for administrators alike. */

const TEXT_LENGTH_MAX = 500;
const AUTHORS_MAX = 50;
const YEAR_MIN = -5_000;
const YEAR_MAX = 2_200;

/** Each author once. */
export const distinctAuthors = (authors: readonly string[]): string[] => [...new Set(authors)];

/**
 * An ISBN-10 that a spreadsheet may have taken the leading zeros of: giving them back is certain when the check digit then
 * is right.
 */
export function repairedIsbn(text: string): ReturnType<typeof parseIsbn> & { repaired: boolean } {
  const isShortened = /^\d{1,8}[\dXx]$/.test(text) && text.length < 10;
  const padded = isShortened ? text.padStart(10, '0') : text;
  return { ...parseIsbn(padded), repaired: isShortened };
}

const wrong = (field: string, message: string) => new UserError('INVALID_INPUT', message, ['input', field]);

/** @throws {UserError} `INVALID_INPUT` about `field` */
export function textInput(field: string, text: string): string {
  const given = tidied(text);
  if (given === '' || given.length > TEXT_LENGTH_MAX || /\p{Cc}/u.test(given))
    throw wrong(field, `This has 1 to ${TEXT_LENGTH_MAX} characters.`);
  return given;
}

/** @throws {UserError} `INVALID_INPUT` about `authors` */
export function authorsInput(authors: readonly string[]): string[] {
  if (authors.length < 1 || authors.length > AUTHORS_MAX)
    throw wrong('authors', `A book has 1 to ${AUTHORS_MAX} authors.`);
  return distinctAuthors(authors.map((author) => textInput('authors', author)));
}

/** @throws {UserError} `INVALID_INPUT` about `publishedYear` */
export function yearInput(year: number | null): number | null {
  if (year !== null && (year < YEAR_MIN || year > YEAR_MAX))
    throw wrong('publishedYear', `A year is from ${YEAR_MIN} to ${YEAR_MAX}.`);
  return year;
}

/** @throws {UserError} `INVALID_INPUT` about `languageCode` */
export function languageInput(code: string | null): string | null {
  const given = code === null ? null : tidied(code);
  if (given !== null && !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(given))
    throw wrong('languageCode', 'A language is named as ISO 639-2 (eng) or BCP 47 (en-US) does.');
  return given;
}

/** @throws {UserError} `INVALID_INPUT` about `isbn` */
export function isbnInput(text: string): string {
  const { isbn13, problem } = repairedIsbn(text.trim());
  if (problem !== undefined) throw wrong('isbn', `${problem}.`);
  return isbn13;
}
