import { readLibrary } from '../../src/libraryimports/operations.ts';
import { quoted } from '../../src/text/csv.ts';
import { textOf, type Worst } from './worst.ts';

/** Files of readers' libraries, read in turns, with the most expensive lines that they may have. */

/** LibraryThing's lines have the longest lists. */
const HEADER =
  'Title,Primary Author,Collections,Secondary Author,ISBN,ISBNs,Date Started,Date Read,Entry ' +
  'Date,Rating,Review,Private Comment,Tags';
const COLUMNS = HEADER.split(',').length;
/** A line of 200,000 units is read, with its commas and quotation marks. */
const LINE_UNITS = 199_000;
const LINES = 3;
/** A record is read to this number of bytes. */
const RECORD_BYTES = 590_000;
const NOW = new Date('2026-01-01T00:00:00Z');

const RUNS: Readonly<Record<string, string>> = {
  letters: 'a',
  'letters that were encoded twice': 'Ã©',
  'short names': 'a,',
  'names with separators': `${'ᠠ\u180E\u200D'.repeat(60)},`,
  'names of ligatures': `${'\uFDFA'.repeat(400)},`,
  'tags of paragraphs': '<p> ',
  'ranges of days': '2021/03/01-2021/03/05,',
};

/** A file that is read in turns. */
interface BadFile {
  readonly name: string;
  readonly read: () => Promise<void>;
}

/** Reads a file as many times as an import does. */
async function readFile(text: string): Promise<void> {
  const { lines } = await readLibrary(Buffer.from(text), NOW);
  for await (const line of lines()) void line;
}

function fileOf({ name, run }: Worst): BadFile {
  const cell = quoted(textOf({ name, run }, { length: LINE_UNITS / COLUMNS - 3, measure: 'units' }));
  const line = Array.from({ length: COLUMNS }, () => cell).join(',');
  const text = [HEADER, ...Array.from({ length: LINES }, () => line)].join('\n');
  return { name: `a line with ${name} in every cell`, read: () => readFile(text) };
}

const SHORT = 'Title,Author,Bookshelves';

/** The files whose turns are measured. */
export const FILES: readonly BadFile[] = [
  ...Object.entries(RUNS).map(([name, run]) => fileOf({ name, run })),
  { name: 'a line of commas', read: () => readFile(`${SHORT}\n${','.repeat(RECORD_BYTES)}\nx,y,z\n`) },
  { name: 'a line of spaces', read: () => readFile(`${SHORT}\n${' ,'.repeat(RECORD_BYTES / 2)}\nx,y,z\n`) },
  { name: 'empty lines', read: () => readFile(`${SHORT}\nx,y,z\n${'\n'.repeat(RECORD_BYTES)}`) },
];
