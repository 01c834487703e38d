import { z } from 'zod';
import type { AppContext } from '../context/context.ts';
import {
  importFile,
  rowsOfFile,
  optionalText,
  requiredText,
  type FileKind,
  type ImportFigures,
  type ImportOptions,
} from '../bulk-import/operations.ts';
import { putBooks, type ImportedFields } from './aggregate.ts';
import { sourceOfGoodreads, workOfGoodreads } from './editions.ts';
import { areGenres, distinctNames, isPages, isPartialDate, isYear, readDescription } from './inputs.ts';
import { isPictureUrl } from '../graphql/picture-urls.ts';
import { tidied } from '../text/text.ts';
import { parseIsbn } from './isbn.ts';

/**
 * Imports a catalogue from the columns of goodbooks-10k's `books.csv`. It handles the faults of
 * that file: ISBN-10s without leading zeros, ISBN-13s turned into floats, missing ISBNs, stray
 * spaces.
 */

/** The result of an import. Interruptions do not change it. */
export interface BookImportFigures extends ImportFigures {
  /** The number of imported books whose ISBN-10 had lost leading zeros, which were restored. */
  readonly isbnsRepaired: number;
  /** The number of imported books without an ISBN. */
  readonly withoutIsbn: number;
}

/** A whole number in the forms of spreadsheets: `2008`, `2008.0`, `-720.0`. */
const wholeNumber = z
  .string()
  .regex(/^(?:-?\d+(?:\.0)?)?$/, 'is not a whole number')
  .transform((text) => (text === '' ? null : Math.trunc(Number(text))));

/** Digits, or a spreadsheet's formula that keeps digits as text: `="0439023483"`. */
const digitsAsTyped = z.string().transform((text) => (/^="(.*)"$/.exec(text.trim())?.[1] ?? text).trim());

/** The number of a book or a work at Goodreads. */
const number = z.string().regex(/^\d{1,12}$/, 'is not a number');

const columns = z.object({
  book_id: z.string().optional(),
  goodreads_book_id: number,
  best_book_id: number.optional(),
  work_id: number.optional(),
  isbn: digitsAsTyped,
  isbn13: digitsAsTyped,
  authors: requiredText.transform((text) => distinctNames(text.split(', '))),
  original_publication_year: wholeNumber.refine((year) => year === null || year === 0 || isYear(year), 'is not a year'),
  original_title: optionalText,
  title: requiredText,
  language_code: optionalText,
  average_rating: z
    .string()
    .regex(/^(?:\d(?:\.\d+)?)?$/, 'is not a rating')
    .transform((text) => (text === '' ? null : Number(text))),
  ratings_count: wholeNumber,
  genres: z
    .string()
    .transform((text) => distinctNames(text.split('|').map(tidied)).filter((name) => name !== ''))
    .refine(areGenres, 'has too many genres, or one that is too long or has no letter')
    .optional(),
  publisher: optionalText.optional(),
  publication_date: optionalText
    .refine((date) => date === null || isPartialDate(date), 'is not a date such as 1998, 1998-05 or 1998-05-23')
    .optional(),
  pages: wholeNumber.refine((pages) => pages === null || isPages(pages), 'is not a number of pages').optional(),
  image_url: optionalText.optional(),
  description: z.string().transform(readDescription).optional(),
});

interface BookRow {
  /** The number of the book in accompanying files. */
  readonly number: string | undefined;
  readonly bookId: string;
  readonly isRepaired: boolean;
  /** The fields that the file has. A missing column leaves its field unset. */
  readonly fields: ImportedFields;
}

/** @param coverHosts the allowed hosts of covers */
const booksOf = (coverHosts: readonly string[]): FileKind<typeof columns, BookRow> => ({
  columns,
  noun: 'book',
  keyOf: ({ bookId }) => bookId,
  read: (row) => {
    const isbn = readIsbn(row.isbn, row.isbn13);
    if (isbn.reason !== undefined) return isbn;
    const isShown = row.image_url == null || isPictureUrl(row.image_url, coverHosts);
    return {
      leftOut: [
        ...(isbn.isLost ? [LOST_ISBN] : []),
        ...(row.original_publication_year === 0 ? [NO_YEAR] : []),
        ...(isShown ? [] : [FOREIGN_COVER]),
        ...(row.description?.problem === undefined ? [] : [UNSHOWN_DESCRIPTION]),
      ],
      row: {
        number: row.book_id,
        bookId: isbn.isbn13 ?? `goodreads-${row.goodreads_book_id}`,
        isRepaired: isbn.isRepaired,
        fields: {
          isbn: isbn.isbn13,
          title: row.title,
          original_title: row.original_title,
          authors: row.authors,
          published_year: row.original_publication_year === 0 ? null : row.original_publication_year,
          language_code: row.language_code,
          average_rating: row.average_rating,
          ratings_count: row.ratings_count,
          source_ids: sourceIdsOf(row.goodreads_book_id, row.best_book_id),
          ...(row.work_id !== undefined && { work_id: workOfGoodreads(row.work_id) }),
          ...(row.genres && { genres: row.genres }),
          ...(row.publisher !== undefined && { publisher: row.publisher }),
          ...(row.publication_date !== undefined && { published_on: row.publication_date }),
          ...(row.pages !== undefined && { pages: row.pages }),
          ...(row.image_url !== undefined && { cover_url: isShown ? row.image_url : null }),
          ...(row.description && { description: row.description.text ?? null }),
        },
      },
    };
  },
  write: putBooks,
});

/**
 * Returns the ids of an edition, and of the edition that represents its work, without duplicates.
 */
const sourceIdsOf = (...numbers: (string | undefined)[]): string[] => [
  ...new Set(numbers.flatMap((each) => (each === undefined ? [] : sourceOfGoodreads(each)))),
];

const LOST_ISBN = 'isbn13 is a number that was rounded, so its book was imported without an ISBN';
const NO_YEAR = 'original_publication_year is 0, which is no year, so its book was imported without one';
const FOREIGN_COVER = 'image_url is not on a host that covers are shown from, so its book was imported without a cover';
const UNSHOWN_DESCRIPTION =
  'description is too long, or has an invisible character, so its book was imported without one';

/**
 * Imports a file of books. It can be repeated, and continues where it was interrupted.
 * @throws {ImportError} when the file is not UTF-8, or lacks a column
 */
export async function importBooks(
  app: AppContext,
  file: string,
  options: ImportOptions = {},
): Promise<BookImportFigures> {
  let isbnsRepaired = 0;
  let withoutIsbn = 0;
  const onImported = ({ isRepaired, fields }: BookRow) => {
    isbnsRepaired += Number(isRepaired);
    withoutIsbn += Number(fields.isbn === null);
  };
  const figures = await importFile(app, booksOf(app.config.coverHosts), file, options, onImported);
  return { ...figures, isbnsRepaired, withoutIsbn };
}

/**
 * Returns the ids of a file's books, keyed by the file's own numbers, `book_id`.
 * @throws {ImportError} when the file is not UTF-8, or lacks a column
 */
export async function bookIdsByNumber(file: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for await (const { row } of rowsOfFile(booksOf([]), file))
    if (row?.number !== undefined) ids.set(row.number, row.bookId);
  return ids;
}

/**
 * Reads the ISBN of a row. An ISBN-13 that became a float (`9.78043902348e+12`) lost its last digit
 * to rounding, and in this data it sometimes belongs to another edition. It is reported as left out
 * instead of guessed.
 */
function readIsbn(
  isbn10: string,
  isbn13: string,
): { isbn13: string | null; isRepaired: boolean; isLost: boolean; reason?: never } | { reason: string } {
  if (isbn10 === '' && (isbn13 === '' || FLOAT.test(isbn13)))
    return { isbn13: null, isRepaired: false, isLost: isbn13 !== '' };
  const [column, given] = isbn10 === '' ? ['isbn13', isbn13] : ['isbn', isbn10];
  const isShortened = column === 'isbn' && SHORTENED.test(given);
  const read = parseIsbn(isShortened ? given.padStart(10, '0') : given);
  if (read.problem !== undefined) return { reason: `${column} ${read.problem}` };
  return { isbn13: read.isbn13, isRepaired: isShortened, isLost: false };
}

/** A number with a fraction or an exponent. */
const FLOAT = /^\d+(?=[.,e])(?:[.,]\d*)?(?:e\+?\d+)?$/i;
/**
 * An ISBN-10 that lost up to three leading zeros in a spreadsheet. If the check digit is right with
 * the zeros, they are safe to restore. They are restored only for this source; in other sources
 * nine digits are a mistake.
 */
const SHORTENED = /^\d{6,8}[\dX]$/i;
