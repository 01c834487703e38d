import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { badUserInput } from '../graphql/errors.ts';
import type { Cell } from './fields.ts';

/** Reads the records of a file of any encoding, even if a spreadsheet has spoilt it. */

/** The maximum number of lines of a file. */
export const LINES_MAX = 20_000;
/** The maximum number of columns. No service writes a third of them. */
const COLUMNS_MAX = 200;
/** The maximum length of a line, with all of its cells, in UTF-16 units. */
const LINE_LENGTH_MAX = 200_000;
/** The number of characters that are worked on in one turn, so that others are answered soon. */
const CHARACTERS_PER_TURN = 16_384;
/** The number of characters that cost as much as what is done for each line, however short. */
const LINE_COST = 800;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/**
 * LibraryThing quotes nothing between its tabs. Excel quotes every cell with a comma if it saves a
 * text with tabs; LibreOffice quotes only what it must.
 */
const OF_LIBRARYTHING = /(?:^|\t)Primary Author(?:\t|$)/;
const UNQUOTED_COMMA = /\t[^"\t\r\n][^\t\r\n]*,/;

const WHAT_TO_SEND =
  'Send the file that the other service calls an export of your library: CSV, or tab-separated for LibraryThing.';

/** The columns of a file, and its records with their lines. */
export interface Table {
  readonly columns: readonly string[];
  /** `problem` is unset if the record can be read. */
  readonly records: readonly {
    readonly line: number;
    readonly cell: Cell;
    /** The length of all cells. */
    readonly length: number;
    readonly problem?: string;
  }[];
}

/** Returns a function that ends the turn once the lines since the last one were long enough. */
export function turnsOf(): (length: number) => Promise<void> {
  let worked = 0;
  return async (length) => {
    worked += length + LINE_COST;
    if (worked < CHARACTERS_PER_TURN) return;
    worked = 0;
    await nextTurn();
  };
}

/**
 * Reads a file.
 * @throws `BAD_USER_INPUT` saying what to send instead
 */
export async function tableIn(bytes: Buffer): Promise<Table> {
  refuseOtherKinds(bytes);
  const text = (await decoded(bytes)).replace(/^\uFEFF/, '');
  const [firstLine = ''] = text.split(/\r\n|\n|\r/, 1);
  const dialect = firstLine.includes('\t')
    ? { delimiter: '\t', quote: OF_LIBRARYTHING.test(firstLine) && UNQUOTED_COMMA.test(text) ? null : '"' }
    : { delimiter: firstLine.includes(',') ? ',' : ';' };
  // A spreadsheet writes an empty line as its separators alone.
  const skipped = { skip_empty_lines: true, skip_records_with_empty_values: true };
  // Spaces behind a quotation mark would make it a part of the cell.
  const trimmed = { rtrim: dialect.delimiter !== '\t' };
  const form = { ...dialect, ...skipped, ...trimmed, relax_quotes: true, relax_column_count: true } as const;

  let linesRead = 0;
  const noteLines = (record: string[], { lines }: { readonly lines: number }) => {
    linesRead = lines;
    return record;
  };
  const parser = Readable.from(chunksOf(text)).pipe(
    parse({ ...form, record_delimiter: ['\r\n', '\n', '\r'], on_record: noteLines }),
  );
  const { columns, records } = await collected(parser as AsyncIterable<string[]>, () => linesRead);
  if (!columns || records.length === 0) throw badUserInput(`The file has no lines below its header. ${WHAT_TO_SEND}`);
  return { columns, records };
}

/**
 * Collects the records of a file.
 * @param linesRead returns the number of lines of all whole records so far
 * @throws `BAD_USER_INPUT` for too many columns or lines, or a quotation mark that is never closed
 */
async function collected(parsed: AsyncIterable<string[]>, linesRead: () => number) {
  let columns: string[] | undefined;
  let places: ReadonlyMap<string, number> = new Map();
  const records: Table['records'][number][] = [];
  const turn = turnsOf();
  try {
    for await (const record of parsed) {
      const cells = unquoted(record);
      await turn(lengthOf(cells));
      if (!columns) {
        if (cells.length > COLUMNS_MAX)
          throw badUserInput(`The file has more than ${COLUMNS_MAX} columns. ${WHAT_TO_SEND}`);
        columns = cells.map((name) => name.trim());
        // The first of several columns with one name counts.
        places = new Map(columns.map((name, place) => [name, place] as const).reverse());
        continue;
      }
      if (records.length === LINES_MAX)
        throw badUserInput(`The file has more than ${LINES_MAX} lines. Send it in parts, each with the first line.`);
      records.push({ line: records.length + 1, ...readCells(columns, places, cells) });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badUserInput(
      `The file cannot be read from line ${linesRead() + 1} on, perhaps because a quotation mark there is never closed. ${WHAT_TO_SEND}`,
    );
  }
  return { columns, records };
}

const lengthOf = (cells: readonly string[]): number => cells.reduce((total, cell) => total + cell.length, 0);

/** The columns that only the export of this library has, whose texts come back as they are. */
export const OWN_COLUMNS = ['Star Rating', 'Progress'] as const;

/** The apostrophe before a text that a spreadsheet would run, as our own export writes it. */
const MADE_HARMLESS = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/** @param places the places of the columns by their names */
function readCells(columns: readonly string[], places: ReadonlyMap<string, number>, cells: readonly string[]) {
  const repair = OWN_COLUMNS.every((name) => places.has(name)) ? (text: string) => text : repaired;
  const cell: Cell = (name) => repair(cells[places.get(name) ?? -1] ?? '').replace(MADE_HARMLESS, '');
  const length = lengthOf(cells);
  const problem = problemOf(columns, cells, length);
  return { cell, length, ...(problem !== undefined && { problem }) };
}

/** Returns why a line cannot be read; `undefined` if it can. */
function problemOf(columns: readonly string[], cells: readonly string[], length: number): string | undefined {
  // Spreadsheets write separators behind the last cell.
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) return 'The line has more cells than the header.';
  return length > LINE_LENGTH_MAX ? `The line has more than ${LINE_LENGTH_MAX} characters.` : undefined;
}

/** The second unit of a letter, which is nothing without the first. */
const SECOND_HALF = /[\uDC00-\uDFFF]/;

/** Yields a text in parts, each in a turn of its own, so that others are answered in between. */
async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    await nextTurn();
    to = from + CHARACTERS_PER_TURN;
    if (SECOND_HALF.test(text.charAt(to))) to++;
    yield text.slice(from, to);
  }
}

/** Some spreadsheets quote a line as a whole, as if it were a single cell. */
function unquoted(cells: string[]): string[] {
  const [only = '', ...others] = cells;
  if (others.some((cell) => cell.trim() !== '') || !only.includes(',') || only.length > LINE_LENGTH_MAX) return cells;
  try {
    const [inner] = parseAtOnce(only, { relax_quotes: true, relax_column_count: true });
    // A title alone may have commas as well.
    return inner && inner.length > cells.length ? inner : cells;
  } catch {
    return cells;
  }
}

/** @throws `BAD_USER_INPUT` for a file that is no table */
function refuseOtherKinds(bytes: Buffer): void {
  const begin = bytes.subarray(0, 4).toString('latin1');
  if (begin.startsWith('PK'))
    throw badUserInput(`This is a ZIP archive or a workbook of a spreadsheet. ${WHAT_TO_SEND}`);
  const beginning = bytes.subarray(0, 100).toString('utf8');
  if (/^\uFEFF?\s*</.test(beginning)) throw badUserInput(`This is a web page, perhaps a login page. ${WHAT_TO_SEND}`);
  if (/^\s*[{[]\s*["{[\]}]/.test(beginning))
    throw badUserInput(`This is a JSON file, which cannot be imported. ${WHAT_TO_SEND}`);
}

/**
 * Decodes a text in UTF-8, UTF-16 with its mark, or the encoding of Western Windows or of old Macs,
 * whose lines end with a carriage return alone.
 * @throws `BAD_USER_INPUT` if the text makes no sense in any of these
 */
async function decoded(bytes: Buffer): Promise<string> {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const end = bytes.findIndex((byte) => byte === CARRIAGE_RETURN || byte === LINE_FEED);
    const isOfMac = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] !== LINE_FEED;
    const text = new TextDecoder(isOfMac ? 'macintosh' : 'windows-1252').decode(bytes);
    if (await isMisread(text))
      throw badUserInput(
        `The character encoding of the file cannot be determined. Save it as CSV in UTF-8. ${WHAT_TO_SEND}`,
      );
    return text;
  }
}

/** Three letters above ASCII in a row, of which Western texts have few, but Cyrillic ones many. */
const OTHER_SCRIPT = /(?:(?!\p{ASCII})\p{L}){3,}/gu;
/** A sign in a word. Central European encodings have letters where Western ones have these. */
const SIGN_IN_WORD = /(?<=\p{L})[£¥¯²³¹¼½¾¿](?=\p{L})/gu;
const ABOVE_ASCII = /\P{ASCII}/gu;
/** The largest part of such characters in a Western text. */
const MISREAD_SHARE_MAX = 0.1;

/** Returns true for a text of another encoding that was read as a Western one. */
async function isMisread(text: string): Promise<boolean> {
  let [letters, all] = [0, 0];
  for await (const chunk of chunksOf(text)) {
    const misread = [...chunk.matchAll(OTHER_SCRIPT), ...chunk.matchAll(SIGN_IN_WORD)];
    letters += misread.reduce((sum, [found]) => sum + found.length, 0);
    all += chunk.match(ABOVE_ASCII)?.length ?? 0;
  }
  return letters > MISREAD_SHARE_MAX * all;
}

/** The characters of Windows-1252 above ASCII, by the byte that stands for each. */
const WINDOWS_1252 = new Map(
  Array.from({ length: 128 }, (_, index) => {
    const byte = 128 + index;
    return [new TextDecoder('windows-1252').decode(Buffer.from([byte])), byte] as const;
  }),
);

/** The characters of Windows-1252 whose bytes continue a letter in UTF-8. */
const CONTINUING = [...WINDOWS_1252].flatMap(([letter, byte]) => (byte < 0xc0 ? letter : [])).join('');
/**
 * Letters in UTF-8 that were read as Windows-1252, and that nobody writes so. Right texts have
 * quotation marks, dashes and other signs behind a letter as well: `CAFÉ’S`, `Spaß…`, `AMANHÃ—`.
 */
const TWICE_ENCODED = new RegExp(
  [
    // Western letters and signs: `Ã©`, `Â«`. `Ã–sterreich` begins with a letter that is no word.
    '[ÂÃ][^\\p{ASCII}„…‘’“”–—]|(?<!\\p{L})Ã[„…‘’“”–—]\\p{L}',
    // Central European letters, quotation marks and dashes, and emoji.
    '[ÄÅ][^\\p{ASCII}„…‘’“”–—»®™\u00A0]|â€|ðŸ',
    // Two letters of any other script.
    `(?:[\u00C2-\u00F4][${CONTINUING}]{1,3}){2}`,
  ].join('|'),
  'u',
);

/**
 * Repairs a text in UTF-8 that was once read as Windows-1252: `Ã©` is `é`. A text that is not UTF-8
 * as a whole when it is read so, or that may be right, stays as it is.
 */
function repaired(text: string): string {
  if (!TWICE_ENCODED.test(text)) return text;
  const bytes = Array.from(text, (letter) => WINDOWS_1252.get(letter) ?? letter.charCodeAt(0));
  if (bytes.some((byte) => byte > 255)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}
