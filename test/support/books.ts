import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { importBooks, type BookImportFigures } from '../../src/catalogue/import.ts';
import type { AppContext } from '../../src/context/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { SAMPLE } from '../../tools/places.ts';
import type { TestServer } from './app.ts';

/**
 * Imports the most popular books of the sample catalogue.
 * @param count number of books; those of {@link ISBNS} are among the first ten
 */
export async function importSample(app: AppContext, count = 1_000): Promise<BookImportFigures> {
  return importLines(app, (await readFile(SAMPLE, 'utf8')).split('\n').slice(0, count + 1));
}

/** The columns that every file of books has. */
export const NEEDED =
  'goodreads_book_id,isbn,isbn13,authors,original_publication_year,original_title,title,language_code,average_rating,ratings_count';

/**
 * Adds books that no other test file uses.
 * @returns their ids
 */
export async function ownBooks(app: AppContext, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => randomInt(10 ** 12));
  await importLines(app, [NEEDED, ...numbers.map((number) => `${number},,,An Author,,,Book ${number},,,`)]);
  return numbers.map((number) => encodeId({ type: 'Book', key: `goodreads-${number}` }));
}

async function importLines(app: AppContext, lines: readonly string[]): Promise<BookImportFigures> {
  const folder = await mkdtemp(join(inject('folder'), 'books-'));
  const file = join(folder, 'books.csv');
  await writeFile(file, lines.join('\n'));
  return importBooks(app, file);
}

/** ISBNs of the sample's most popular books, each with a different title. */
export const ISBNS = [
  '0439023483',
  '0439554934',
  '0316015849',
  '0061120081',
  '0743273567',
  '0525478817',
  '0618260307',
  '0316769177',
] as const;

/** Completes twelve digits to an ISBN-13. */
export function isbnOf(digits: number): string {
  const text = String(digits);
  const sum = Array.from(text, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3)).reduce((a, b) => a + b);
  return text + String((10 - (sum % 10)) % 10);
}

/** Returns the ids of the books of {@link ISBNS}. */
export async function bookIds(server: TestServer): Promise<string[]> {
  const fields = ISBNS.map((isbn, index) => `b${index}: book(isbn: "${isbn}") { id }`);
  const data = (await server.client().data(`{ ${fields.join(' ')} }`)) as Record<string, { id: string }>;
  return Object.values(data).map(({ id }) => id);
}

/** Returns the ids of some books of the catalogue, in any order. */
export async function manyBookIds({ app }: TestServer, count: number): Promise<string[]> {
  const { rows } = await app.cassandra.client.execute(`SELECT book_id FROM books LIMIT ${count}`);
  return rows.map((row) => encodeId({ type: 'Book', key: row['book_id'] as string }));
}
