import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { quoted } from '../src/text/csv.ts';

/** The first ISBN-13 without its check digit. The group 979-9 has no books in the sample. */
const ISBN_FIRST = 979_900_000_000;
/** This number and those after it are higher than any at Goodreads. */
const NUMBER_FIRST = 900_000_000;

/**
 * Makes a file of generated books: the books of the sample as further volumes, each with its own
 * ISBN.
 * @returns the path of the file
 */
export async function inventBooks(sample: string, folder: string, count: number): Promise<string> {
  const rows = parse<Record<string, string>>(await readFile(sample), { columns: true });
  const lines = Array.from({ length: count }, (_, index) => {
    const row = rows[index % rows.length] ?? {};
    const number = String(NUMBER_FIRST + index);
    const title = `${row['title'] ?? ''}, volume ${Math.floor(index / rows.length) + 2}`;
    const numbers = { book_id: number, goodreads_book_id: number, best_book_id: number, work_id: number };
    const own = { ...numbers, isbn: '', isbn13: isbnOf(ISBN_FIRST + index), title };
    return Object.values({ ...row, ...own, image_url: '' });
  });
  const file = join(folder, 'invented-books.csv');
  const csv = [Object.keys(rows[0] ?? {}), ...lines].map((cells) => cells.map(quoted).join(','));
  await writeFile(file, `${csv.join('\n')}\n`);
  return file;
}

/** Adds the check digit of an ISBN-13. */
function isbnOf(number: number): string {
  const digits = String(number);
  const sum = digits.split('').reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
