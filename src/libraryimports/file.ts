import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { badUserInput } from '../graphql/errors.ts';
import { nextTurn } from '../time/turns.ts';
import type { Cell } from './fields.ts';

/**
 * Reads the records of a file of any encoding, even if a spreadsheet has damaged it. A file is read
 * in parts, more than once if needed, and only one record at a time is in memory.
 */

/** The maximum number of lines of a file. */
export const LINES_MAX = 20_000;
/** The maximum number of columns. No service writes a third of them. */
const COLUMNS_MAX = 200;
/**
 * The maximum number of cells of a record, equal to the maximum number of columns in a spreadsheet.
 */
const CELLS_MAX = 16_384;
/** The maximum length of a line, with all of its cells, in UTF-16 units. */
const LINE_LENGTH_MAX = 200_000;
/**
 * The maximum number of bytes of a record: those of the longest line in any script. A longer one is
 * not read to its end.
 */
const RECORD_BYTES_MAX = 3 * LINE_LENGTH_MAX;
/** The number of bytes that are processed in one turn, so that other requests do not wait. */
const BYTES_PER_TURN = 8_192;
/** The number of characters that take as much time as the fixed work for a line. */
const LINE_COST = 800;
/** The number of bytes in which the first line is looked for. */
const BEGINNING_BYTES = 65_536;

/**
 * LibraryThing quotes nothing between its tabs. Excel quotes every cell with a comma if it saves a
 * text with tabs; LibreOffice quotes only cells that need it.
 */
const OF_LIBRARYTHING = /(?:^|\t)Primary Author(?:\t|$)/;
const UNQUOTED_COMMA = /\t[^"\t\r\n][^\t\r\n]*,/;

const CELL_WITH_COMMA = '"(?:[^",\\r\\n]|"")*,(?:[^"\\r\\n]|"")*"[ \\t]*';
/** A line of a spreadsheet that separates with semicolons and has commas in its texts. */
const COMMA_BESIDE_SEMICOLON = new RegExp(`^${CELL_WITH_COMMA};|;${CELL_WITH_COMMA}$`, 'm');

const WHAT_TO_SEND =
  'Send the file that the other service calls an export of your library: CSV, or tab-separated for LibraryThing.';

export interface FileRecord {
  readonly line: number;
  readonly cell: Cell;
  /** The length of all cells. */
  readonly length: number;
  /** Unset if the record can be read. */
  readonly problem?: string;
}

/** The columns of a file, and its records with their lines. */
export interface Table {
  readonly columns: readonly string[];
  /**
   * Reads all records again. Other requests are answered in between.
   * @throws `BAD_USER_INPUT` for too many lines, or a quotation mark that is never closed
   */
  readonly records: () => AsyncGenerator<FileRecord>;
}

/** Returns a function that ends the turn once the lines since the last one were long enough. */
function turnsOf(): (length: number) => Promise<void> {
  let worked = 0;
  return async (length) => {
    worked += length + LINE_COST;
    if (worked < BYTES_PER_TURN) return;
    worked = 0;
    await nextTurn();
  };
}

/**
 * Reads the header of a file.
 * @throws `BAD_USER_INPUT` with what to send instead
 */
export async function tableIn(bytes: Buffer): Promise<Table> {
  requireTable(bytes);
  const encoding = await encodingOf(bytes);
  const parts = () => partsOf(bytes, encoding);
  const dialect = await dialectOf(bytes, encoding);
  const columns = await columnsIn(parts(), dialect);
  return { columns, records: () => readRecords(parts(), dialect, columns) };
}

/** The characters that separate and quote the cells of a file. */
type Dialect = Pick<Options, 'delimiter' | 'quote'>;

async function dialectOf(bytes: Buffer, encoding: string): Promise<Dialect> {
  const beginning = new TextDecoder(encoding).decode(bytes.subarray(0, BEGINNING_BYTES));
  const [firstLine = ''] = beginning.split(/\r\n|\n|\r/, 1);
  // A spreadsheet with semicolons writes a line with commas as its first cell.
  const isOfCommas = firstLine.includes(',') && !firstLine.endsWith(';') && !COMMA_BESIDE_SEMICOLON.test(beginning);
  if (!firstLine.includes('\t')) return { delimiter: isOfCommas ? ',' : ';' };
  const isUnquoted = OF_LIBRARYTHING.test(firstLine) && (await hasUnquotedComma(partsOf(bytes, encoding)));
  return { delimiter: '\t', quote: isUnquoted ? null : '"' };
}

async function hasUnquotedComma(parts: AsyncIterable<Buffer>): Promise<boolean> {
  let cell = '';
  for await (const part of parts) {
    const text = cell + part.toString('latin1');
    if (UNQUOTED_COMMA.test(text)) return true;
    const begin = text.lastIndexOf('\t');
    cell = begin < 0 ? '' : text.slice(begin, begin + LINE_LENGTH_MAX);
  }
  return false;
}

/** Returns the names of the columns, which are the first record. */
async function columnsIn(parts: AsyncIterable<Buffer>, dialect: Dialect): Promise<string[]> {
  for await (const record of cellsIn(parts, dialect)) {
    if (record.length > COLUMNS_MAX)
      throw badUserInput(`The file has more than ${COLUMNS_MAX} columns. ${WHAT_TO_SEND}`);
    return record.map((name) => name.trim());
  }
  throw withoutLines();
}

const withoutLines = () => badUserInput(`The file has no lines below its header. ${WHAT_TO_SEND}`);

async function* readRecords(
  parts: AsyncIterable<Buffer>,
  dialect: Dialect,
  columns: readonly string[],
): AsyncGenerator<FileRecord> {
  // The first of several columns with one name is used.
  const places = new Map(columns.map((name, place) => [name, place] as const).reverse());
  const turn = turnsOf();
  let line = -1;
  for await (const cells of cellsIn(parts, dialect)) {
    line += 1;
    // The first record is the header.
    if (line === 0) continue;
    if (line > LINES_MAX)
      throw badUserInput(
        `The file has more than ${LINES_MAX.toLocaleString('en')} lines. Send it in parts, each with the first line.`,
      );
    const record = recordOf(line, columns, places, cells);
    yield record;
    await turn(record.length);
  }
  if (line < 1) throw withoutLines();
}

/**
 * Yields the cells of all records that are not empty. A spreadsheet writes an empty line as only
 * its separators.
 */
async function* recordsIn(parts: AsyncIterable<Buffer>, dialect: Dialect): AsyncGenerator<string[]> {
  const tidy = tidyingOf(dialect);
  let [linesRead, bytesSince] = [0, 0];
  const bounded = async function* () {
    for await (const part of parts) {
      // The limits of the parser do not count empty cells.
      if (bytesSince > RECORD_BYTES_MAX) throw unreadable(linesRead + 1);
      bytesSince += part.length;
      yield part;
    }
  };
  const parser = parse({
    ...dialect,
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    on_record: (record: string[], { lines }) => {
      // The parser slowly makes an error for each record whose number of cells differs from the
      // first.
      Object.assign(parser.info, { records: 0 });
      if (record.length > CELLS_MAX) throw unreadable(linesRead + 1);

      [linesRead, bytesSince] = [lines, 0];
      const cells = record.map(tidy);
      return cells.some((cell) => cell.trim() !== '') ? cells : null;
    },
  });
  pipeline(Readable.from(bounded()), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(linesRead + 1) : error;
  }
}

/** Returns a function that tidies a cell in ways that the parser cannot. */
function tidyingOf({ delimiter, quote }: Dialect): (cell: string) => string {
  if (quote === null) return withoutQuotes;
  return delimiter === '\t' ? (cell) => cell : withoutSpacesBehindQuote;
}

/**
 * LibreOffice quotes a cell that has quotation marks, and doubles them. No other program does this.
 */
const withoutQuotes = (cell: string): string =>
  /^"(?:[^"]|"")*"$/.test(cell) && cell.slice(1, -1).includes('""') ? cell.slice(1, -1).replaceAll('""', '"') : cell;

/**
 * Spaces after a closing quotation mark make both marks a part of the cell. The parser's own option
 * would trim all cells, where a no-break space may be half of a misread letter.
 */
const withoutSpacesBehindQuote = (cell: string): string => /^"([^]*)"[ \t]+$/.exec(cell)?.[1] ?? cell;

const unreadable = (line: number) =>
  badUserInput(
    `The file cannot be read from line ${line} on, perhaps because a quotation mark there is ` +
      `never closed. ${WHAT_TO_SEND}`,
  );

/** Yields the cells of all records, including records that were quoted as a whole. */
async function* cellsIn(parts: AsyncIterable<Buffer>, dialect: Dialect): AsyncGenerator<string[]> {
  let isSplit: boolean | undefined;
  for await (const record of recordsIn(parts, dialect)) {
    // If the header is one cell, the parts of a line between semicolons are its cells.
    isSplit ??= dialect.delimiter === ';' && isOneCell(record);
    yield await unquoted(isSplit ? [joined(record)] : record);
  }
}

const isOneCell = ([, ...others]: readonly string[]): boolean => others.every((cell) => cell.trim() === '');

const joined = (cells: readonly string[]): string =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(';');

/** Some spreadsheets quote a line as a whole, as if it were a single cell. */
async function unquoted(cells: string[]): Promise<string[]> {
  const [only = ''] = cells;
  if (!isOneCell(cells) || !only.includes(',') || only.length > LINE_LENGTH_MAX) return cells;
  try {
    // A single title may contain commas as well.
    for await (const inner of recordsIn(partsOf(Buffer.from(only)), { delimiter: ',' }))
      return inner.length > cells.length ? inner : cells;
  } catch {
    // The text is not a quoted line.
  }
  return cells;
}

/** @param places the places of the columns by their names */
function recordOf(
  line: number,
  columns: readonly string[],
  places: ReadonlyMap<string, number>,
  cells: readonly string[],
): FileRecord {
  const length = cells.reduce((total, cell) => total + cell.length, 0);
  const record = { line, cell: (name: string) => cells[places.get(name) ?? -1] ?? '', length };
  // Spreadsheets write separators after the last cell.
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    return { ...record, problem: 'The line has more cells than the header.' };
  if (length <= LINE_LENGTH_MAX) return record;
  return { ...record, problem: `The line has more than ${LINE_LENGTH_MAX.toLocaleString('en')} characters.` };
}

/** @throws `BAD_USER_INPUT` for a file that is not a table */
function requireTable(bytes: Buffer): void {
  const begin = bytes.subarray(0, 4).toString('latin1');
  if (begin.startsWith('PK'))
    throw badUserInput(`This is a ZIP archive or a workbook of a spreadsheet. ${WHAT_TO_SEND}`);
  const beginning = bytes.subarray(0, 100).toString('utf8');
  if (/^\uFEFF?\s*</.test(beginning)) throw badUserInput(`This is a web page, perhaps a login page. ${WHAT_TO_SEND}`);
  if (/^\s*[{[]\s*["{[\]}]/.test(beginning))
    throw badUserInput(`This is a JSON file, which cannot be imported. ${WHAT_TO_SEND}`);
}

/**
 * Yields the bytes of a text of any encoding, converted to UTF-8. Each part takes a separate turn,
 * so that other requests are answered in between.
 */
async function* partsOf(bytes: Buffer, encoding = 'utf-8'): AsyncGenerator<Buffer> {
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  for (let from = 0; from < bytes.length; from += BYTES_PER_TURN) {
    await nextTurn();
    const part = bytes.subarray(from, from + BYTES_PER_TURN);
    yield decoder ? Buffer.from(decoder.decode(part, { stream: true })) : part;
  }
}

/** Returns the SHA-256 of a file, in hexadecimal digits. */
export async function checksumOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of partsOf(bytes)) hash.update(part);
  return hash.digest('hex');
}

/**
 * Returns the encoding of a text: UTF-8, UTF-16 with its mark, Windows-1252, or Macintosh, whose
 * lines end with only a carriage return.
 * @throws `BAD_USER_INPUT` if the text makes no sense in any of these
 */
async function encodingOf(bytes: Buffer): Promise<string> {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  if (isUtf8(bytes)) return 'utf-8';

  const [carriageReturn, lineFeed] = ['\r', '\n'].map((end) => bytes.indexOf(end)) as [number, number];
  const isOfMac = carriageReturn >= 0 && (lineFeed < 0 || carriageReturn + 1 < lineFeed);
  const encoding = isOfMac ? 'macintosh' : 'windows-1252';
  if (await isMisread(partsOf(bytes, encoding)))
    throw badUserInput(
      `The character encoding of the file cannot be determined. Save it as CSV in UTF-8. ${WHAT_TO_SEND}`,
    );
  return encoding;
}

/**
 * Three letters above ASCII in a row. They are rare in Western texts, and frequent in Cyrillic
 * ones.
 */
const OTHER_SCRIPT = /(?:(?!\p{ASCII})\p{L}){3,}/gu;
/**
 * A sign within a word, at a code where encodings of DOS and other languages have letters. After a
 * letter like `Ã`, it may be half of a letter in UTF-8.
 */
const SIGN_IN_WORD = /(?<=(?![ÂÃÄÅ])\p{L})[£¥¯²³¹¼½¾¿ƒ‚„†‡ˆ‰‹›¢¤¦§¨©ª¬®±¶¸º](?=\p{L})/gu;
/** A byte that Windows-1252 lacks, and that does not continue a letter in UTF-8. */
const NO_CHARACTER = /(?<=\p{ASCII})[\u0081\u008D\u008F\u0090\u009D]/u;
/** The letter at the code of the Turkish dotless i. */
const DOTLESS = /[ýÝ]/g;
const ABOVE_ASCII = /\P{ASCII}/gu;
/** The maximum shares of such characters in a Western text. Icelandic has a few Ý. */
const MISREAD_SHARE_MAX = 0.1;
const DOTLESS_SHARE_MAX = 0.25;

/** Returns true for a text of another encoding that was read as a Western one. */
async function isMisread(parts: AsyncIterable<Buffer>): Promise<boolean> {
  let [letters, dotless, all] = [0, 0, 0];
  for await (const part of parts) {
    const chunk = part.toString();
    if (NO_CHARACTER.test(chunk)) return true;

    const misread = [...chunk.matchAll(OTHER_SCRIPT), ...chunk.matchAll(SIGN_IN_WORD)];
    letters += misread.reduce((sum, [found]) => sum + found.length, 0);
    dotless += chunk.match(DOTLESS)?.length ?? 0;
    all += chunk.match(ABOVE_ASCII)?.length ?? 0;
  }
  return letters > MISREAD_SHARE_MAX * all || dotless > DOTLESS_SHARE_MAX * all;
}

/** The characters of Windows-1252 above ASCII, by the byte that stands for each. */
const WINDOWS_1252 = new Map(
  Array.from({ length: 128 }, (_, index) => {
    const byte = 128 + index;
    return [new TextDecoder('windows-1252').decode(Buffer.from([byte])), byte] as const;
  }),
);
/**
 * The bytes by the codes of the characters. The first 256 codes map to themselves; -1 stands for no
 * byte.
 */
const BYTES = Int16Array.from({ length: 65_536 }, (_, code) =>
  code < 256 ? code : (WINDOWS_1252.get(String.fromCharCode(code)) ?? -1),
);

/** The characters of Windows-1252 whose bytes continue a letter in UTF-8. */
const CONTINUING = [...WINDOWS_1252].flatMap(([letter, byte]) => (byte < 0xc0 ? letter : [])).join('');
/**
 * Letters in UTF-8 that were read as Windows-1252, in combinations that do not occur in texts.
 * Correct texts also have quotation marks, dashes and other signs after a letter: `CAFÉ’S`,
 * `Spaß…`, `AMANHÃ—`.
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
 * Repairs a text in UTF-8 that was once read as Windows-1252: `Ã©` is `é`. A text that may be
 * right, or that is not UTF-8 as a whole after the repair, is returned unchanged.
 */
export function repaired(text: string): string {
  if (!TWICE_ENCODED.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const byte = BYTES[text.charCodeAt(index)] ?? -1;
    if (byte < 0) return text;
    bytes[index] = byte;
  }
  return isUtf8(bytes) ? Buffer.from(bytes.buffer).toString() : text;
}
