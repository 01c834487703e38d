import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { parse, type InfoRecord } from 'csv-parse';
import pLimit from 'p-limit';
import { z } from 'zod';
import { first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { parseIsbn } from './isbn.ts';
import { insertBook, insertImport, selectImport } from './tables.ts';

/**
 * The import of a catalogue in the columns of goodbooks-10k's `books.csv`, as it is: leading zeros of ISBN-10s lost,
 * ISBN-13s mangled to floats, ISBNs missing, stray spaces.
 */

const ROWS_PER_BATCH = 500;
const WRITES_AT_ONCE = 64;

/** What an import did; the same for a file however often it was interrupted. */
export interface ImportFigures {
  /** Rows of the file, the header not counted. */
  readonly rows: number;
  readonly imported: number;
  /** Of those imported: whose ISBN-10 was given its leading zeros back. */
  readonly isbnsRepaired: number;
  /** Of those imported: without an ISBN. */
  readonly withoutIsbn: number;
  readonly rejected: number;
}

export interface ImportProgress {
  readonly rows: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

const optional = (text: string) => (text === '' ? null : text);
/** A whole number as a spreadsheet writes it: `2008`, `2008.0`, `-720.0`. */
const wholeNumber = z
  .string()
  .regex(/^(?:-?\d+(?:\.0)?)?$/, 'is not a whole number')
  .transform((text) => (text === '' ? null : Math.trunc(Number(text))));
const tidyText = z.string().transform((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim());
const requiredText = tidyText.pipe(z.string().min(1, 'is empty'));

const columns = z.object({
  goodreads_book_id: z.string().regex(/^\d{1,12}$/, 'is not a number'),
  isbn: z.string(),
  isbn13: z.string(),
  authors: requiredText.transform((text) => [...new Set(text.split(', '))]),
  original_publication_year: wholeNumber,
  original_title: tidyText.transform(optional),
  title: requiredText,
  language_code: tidyText.transform(optional),
  average_rating: z
    .string()
    .regex(/^(?:\d(?:\.\d+)?)?$/, 'is not a rating')
    .transform((text) => (text === '' ? null : Number(text))),
  ratings_count: wholeNumber,
});
const COLUMN_NAMES = Object.keys(columns.shape);

/** Files that cannot be imported at all. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** Whether a file was imported to its end. */
export async function isImported(app: AppContext, file: string): Promise<boolean> {
  const found = await first(app.cassandra, selectImport, { file_checksum: await checksumOf(file) });
  return found?.finished_at != null;
}

/**
 * Imports a file of books. Writing a book again changes nothing, so it can be repeated; one that was interrupted goes on
 * where it was, but checks the whole file anew, so that its figures and its rejects are those of the whole file.
 * @param rejectsFile gets every refused row with its line and reason; written anew
 * @throws {ImportError} when the file lacks a column
 */
export async function importBooks(
  app: AppContext,
  file: string,
  rejectsFile: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportFigures> {
  const fileChecksum = await checksumOf(file);
  const bytesTotal = (await stat(file)).size;
  const before = await first(app.cassandra, selectImport, { file_checksum: fileChecksum });
  const rowsWritten = before && !before.finished_at ? before.rows_done : 0;
  const importedAt = app.clock();
  const rejects = await open(rejectsFile, 'w');
  const limit = pLimit(WRITES_AT_ONCE);
  const figures = { rows: 0, imported: 0, isbnsRepaired: 0, withoutIsbn: 0, rejected: 0 };
  const linesOfBooks = new Map<string, number>();
  let writes: Promise<void>[] = [];

  const finishBatch = async (finishedAt: Date | null) => {
    await Promise.all(writes);
    writes = [];
    await write(app.cassandra, insertImport, {
      file_checksum: fileChecksum,
      rows_done: Math.max(figures.rows, rowsWritten),
      finished_at: finishedAt,
    });
  };

  try {
    await rejects.write('line,reason,row\n');
    for await (const { record, info, raw } of recordsOf(file)) {
      figures.rows += 1;
      const line = info.lines - raw.trimEnd().split('\n').length + 1;
      const read = readBook(record, info);
      const duplicate = 'book' in read ? linesOfBooks.get(read.book.book_id) : undefined;
      const reason =
        'reason' in read
          ? read.reason
          : duplicate === undefined
            ? undefined
            : `is the same book as line ${String(duplicate)}`;
      if ('book' in read && reason === undefined) {
        linesOfBooks.set(read.book.book_id, line);
        figures.imported += 1;
        figures.isbnsRepaired += Number(read.repaired);
        figures.withoutIsbn += Number(read.book.isbn === null);
        if (figures.rows > rowsWritten) {
          writes.push(limit(() => write(app.cassandra, insertBook, { ...read.book, imported_at: importedAt })));
        }
      } else {
        figures.rejected += 1;
        await rejects.write([String(line), reason ?? '', raw.trimEnd()].map(quoted).join(',') + '\n');
      }
      if (figures.rows % ROWS_PER_BATCH === 0) {
        if (figures.rows > rowsWritten) await finishBatch(null);
        onProgress({ rows: figures.rows, bytesDone: info.bytes, bytesTotal });
      }
    }
    await finishBatch(app.clock());
    onProgress({ rows: figures.rows, bytesDone: bytesTotal, bytesTotal });
    return figures;
  } finally {
    await Promise.allSettled(writes);
    await rejects.close();
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function* recordsOf(file: string) {
  const parser = createReadStream(file).pipe(
    parse({
      bom: true,
      info: true,
      raw: true,
      skip_empty_lines: true,
      relax_column_count: true,
      columns: (header: string[]) => {
        const missing = COLUMN_NAMES.filter((name) => !header.includes(name));
        if (missing.length > 0)
          throw new ImportError(`${file} has no column ${missing.join(', ')}; a header line with them is needed`);
        return header;
      },
    }),
  );
  for await (const each of parser) yield each as { record: Record<string, string>; info: InfoRecord; raw: string };
}

function readBook(record: Record<string, string>, info: InfoRecord) {
  if ((info as { error?: unknown }).error) return { reason: `has another number of columns than the header` };
  const read = columns.safeParse(record);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { reason: `${String(issue?.path[0])} ${issue?.message ?? ''}` };
  }
  const row = read.data;
  const isbn = readIsbn(row.isbn.trim(), row.isbn13.trim());
  if ('reason' in isbn) return isbn;
  return {
    repaired: isbn.repaired,
    book: {
      book_id: isbn.isbn13 ?? `goodreads-${row.goodreads_book_id}`,
      isbn: isbn.isbn13,
      title: row.title,
      original_title: row.original_title,
      authors: row.authors,
      published_year: row.original_publication_year,
      language_code: row.language_code,
      average_rating: row.average_rating,
      ratings_count: row.ratings_count,
    },
  };
}

/**
 * The ISBN of a row. A spreadsheet drops leading zeros; giving them back is certain when the check digit then is right.
 * An ISBN-13 that became a float (`9.78043902348e+12`) has lost its last digit to rounding, and in this data it is now
 * and then that of another edition: it is never guessed at, and counts as missing.
 */
function readIsbn(isbn10: string, isbn13: string) {
  if (isbn10 !== '') {
    const padded = isbn10.padStart(10, '0');
    const read = parseIsbn(padded);
    if (read.problem !== undefined) return { reason: `isbn ${read.problem}` };
    return { isbn13: read.isbn13, repaired: padded !== isbn10 };
  }
  if (/^\d{13}$/.test(isbn13)) {
    const read = parseIsbn(isbn13);
    if (read.problem !== undefined) return { reason: `isbn13 ${read.problem}` };
    return { isbn13: read.isbn13, repaired: false };
  }
  return { isbn13: null, repaired: false };
}
