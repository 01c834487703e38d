import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { parse, type InfoRecord } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';

/** Reads the records of a CSV file in UTF-8, with or without a byte order mark. */

/** Thrown for a file that cannot be imported at all. */
class ImportError extends Error {
  override name = 'ImportError';
}

export interface CsvRecord {
  readonly record: Record<string, string>;
  /** The unchanged text of the record in the file, with its line end. */
  readonly raw: string;
  readonly info: InfoRecord;
  /** The reason why the record cannot be read; unset if it can. */
  readonly problem?: string;
}

/**
 * @param needed the required columns
 * @throws {ImportError} when the file is not UTF-8 or lacks a required column
 */
export async function* recordsOf(file: string, needed: readonly string[]): AsyncGenerator<CsvRecord> {
  await requireUtf8(file);
  const parser = createReadStream(file).pipe(
    parse({
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      raw: true,
      skip_empty_lines: true,
      relax_column_count: true,
      // A misplaced quotation mark makes the code below refuse its record instead of the whole
      // file.
      relax_quotes: true,
      columns: (header: string[]) => {
        const missing = needed.filter((name) => !header.includes(name));
        if (missing.length > 0)
          throw new ImportError(`${file} has no column ${missing.join(', ')}; it needs a header line with them`);
        return header;
      },
    }),
  );
  for await (const each of parser) {
    const found = each as Omit<CsvRecord, 'problem'>;
    yield { ...found, ...problemOf(found) };
  }
}

function problemOf({ record, raw, info }: CsvRecord): { problem?: string } {
  if ((info as { error?: unknown }).error) return { problem: 'does not have as many columns as the header' };
  const isQuoted = Object.values(record).some((value) => value.includes('"'));
  return isQuoted && !isWellQuoted(raw) ? { problem: 'has a quotation mark that is not doubled' } : {};
}

/**
 * True if each field that contains a quotation mark is quoted, or is a spreadsheet's formula for
 * digits: `="0439023483"`.
 */
function isWellQuoted(raw: string): boolean {
  try {
    parseAtOnce(raw.replace(/(^|,)="([^",\r\n]*)"(?=,|\r?\n?$)/g, '$1"$2"'));
    return true;
  } catch {
    return false;
  }
}

const LINE_FEED = 0x0a;
const UTF_16_MARKS = ['fffe', 'feff'];

/**
 * Checks the whole file before any of it is imported, because Latin-1 text that is read as UTF-8
 * loses letters permanently.
 * @throws {ImportError} with the line and the byte where it is not UTF-8
 */
async function requireUtf8(file: string): Promise<void> {
  let line = 1;
  let bytesBefore = 0;
  let parts: Buffer[] = [];

  const check = () => {
    const bytes = Buffer.concat(parts);
    if (!isUtf8(bytes)) throw notUtf8(file, bytes, line, bytesBefore);
    bytesBefore += bytes.length;
    line += 1;
    parts = [];
  };

  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const to = end < 0 ? chunk.length : end + 1;
      parts.push(chunk.subarray(from, to));
      if (end >= 0) check();
      from = to;
    }
  }
  check();
}

function notUtf8(file: string, bytes: Buffer, line: number, bytesBefore: number): ImportError {
  const isUtf16 = bytesBefore === 0 && UTF_16_MARKS.includes(bytes.toString('hex', 0, 2));
  const where = `in line ${line}, at byte ${bytesBefore + firstWrong(bytes) + 1}`;
  const from = isUtf16 ? 'UTF-16' : 'WINDOWS-1252';
  const other = isUtf16 ? '' : ' (or from what it is in)';
  return new ImportError(
    `${file} is not UTF-8 ${where}; nothing was imported. Convert it${other}, and import the result: ` +
      `iconv -f ${from} -t UTF-8 FILE > NEW_FILE`,
  );
}

/**
 * Returns the index of the first byte that is not UTF-8: the first byte that changes when the bytes
 * are decoded and encoded again.
 */
function firstWrong(bytes: Buffer): number {
  let at = 0;
  for (const letter of bytes.toString('utf8')) {
    const encoded = Buffer.from(letter);
    if (!bytes.subarray(at, at + encoded.length).equals(encoded)) break;
    at += encoded.length;
  }
  return at;
}
