import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { SAMPLE } from '../places.ts';
import { quoted } from '../../src/text/csv.ts';
import type { Chance } from '../support/chance.ts';
import { longText } from './texts.ts';

/** Makes files of readers' libraries: files like those of other services, and hostile ones. */

/** A file to send. */
export interface Upload {
  /** The service and the kind. */
  readonly name: string;
  readonly body: Buffer;
}

/** The largest file is just below the limit of the server. */
const BYTES_MAX = 9.9 * 1_024 * 1_024;
/** The server's limit of lines, less some lines for the other content of a file. */
const LINES_MAX = 19_900;
const LINE_BYTES = 480;

interface Book {
  readonly number: string;
  readonly title: string;
  readonly authors: string;
  readonly isbn: string;
}

let sample: readonly Book[] | undefined;

/** Returns the most popular books of the sample. */
function sampleBooks(): readonly Book[] {
  sample ??= parse<Record<string, string>>(readFileSync(SAMPLE), { columns: true, to: 1_000 }).map(
    ({ goodreads_book_id: number = '', title = '', authors = '', isbn = '' }) => ({ number, title, authors, isbn }),
  );
  return sample;
}

/** The cells of a line, by their meaning. */
interface Line extends Book {
  readonly shelf: string;
  readonly started: string;
  readonly finished: string;
  readonly added: string;
  readonly rating: string;
  readonly review: string;
  readonly notes: string;
  readonly tags: string;
}

type Columns = Readonly<Record<string, (line: Line) => string>>;

/** The columns of each service. */
const SERVICES: Readonly<Record<string, Columns>> = {
  Goodreads: {
    'Book Id': ({ number }) => number,
    Title: ({ title }) => title,
    Author: ({ authors }) => authors.split(', ')[0] ?? '',
    'Additional Authors': ({ authors }) => authors.split(', ').slice(1).join(', '),
    ISBN: ({ isbn }) => `="${isbn}"`,
    ISBN13: () => '=""',
    'My Rating': ({ rating }) => rating,
    'Date Read': ({ finished }) => finished,
    'Date Added': ({ added }) => added,
    Bookshelves: ({ tags }) => tags,
    'Exclusive Shelf': ({ shelf }) => shelf,
    'My Review': ({ review }) => review,
    'Private Notes': ({ notes }) => notes,
    'Read Count': () => '1',
    'Dates Read': ({ started, finished }) => (started === '' ? '' : `${started}-${finished}`),
  },
  StoryGraph: {
    Title: ({ title }) => title,
    Authors: ({ authors }) => authors,
    'ISBN/UID': ({ isbn }) => isbn,
    'Read Status': ({ shelf }) => shelf,
    'Date Added': ({ added }) => added,
    'Dates Read': ({ started, finished }) => `${started}-${finished}`,
    'Read Count': () => '1',
    'Star Rating': ({ rating }) => rating,
    Review: ({ review }) => review,
    Tags: ({ tags }) => tags,
  },
  LibraryThing: {
    'Book Id': ({ number }) => number,
    Title: ({ title }) => title,
    'Primary Author': ({ authors }) => authors,
    'Secondary Author': () => '',
    Review: ({ review }) => review,
    Rating: ({ rating }) => rating,
    ISBN: ({ isbn }) => `[${isbn}]`,
    ISBNs: ({ isbn }) => isbn,
    Collections: ({ shelf }) => shelf,
    Tags: ({ tags }) => tags,
    'Date Started': ({ started }) => started,
    'Date Read': ({ finished }) => finished,
    'Entry Date': ({ added }) => added,
    'Private Comment': ({ notes }) => notes,
  },
  Hardcover: {
    Title: ({ title }) => title,
    Author: ({ authors }) => authors,
    Status: ({ shelf }) => shelf,
    'ISBN 10': ({ isbn }) => isbn,
    'ISBN 13': () => '',
    'Date Added': ({ added }) => added,
    'Date Started': ({ started }) => started,
    'Date Finished': ({ finished }) => finished,
    Rating: ({ rating }) => rating,
    Review: ({ review }) => review,
    'Private Notes': ({ notes }) => notes,
    Lists: ({ tags }) => tags,
  },
  BookWyrm: {
    title: ({ title }) => title,
    author_text: ({ authors }) => authors,
    remote_id: () => 'https://books.example/book/1',
    goodreads_key: ({ number }) => number,
    isbn_10: ({ isbn }) => isbn,
    start_date: ({ started }) => started,
    finish_date: ({ finished }) => finished,
    shelf: ({ shelf }) => shelf,
    shelf_name: ({ tags }) => tags,
    shelf_date: ({ added }) => added,
    rating: ({ rating }) => rating,
    review_content: ({ review }) => review,
  },
};

const SHELVES = ['read', 'to-read', 'currently-reading', 'did-not-finish', 'abgebrochen', 'of my own'];

function dayOf(chance: Chance): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `20${10 + chance.below(15)}/${twoDigits(1 + chance.below(12))}/${twoDigits(1 + chance.below(28))}`;
}

/** Makes a line about a book that the catalogue has, or another one. */
function lineOf(chance: Chance, book: Book = chance.pick(sampleBooks())): Line {
  const [started, finished] = [dayOf(chance), dayOf(chance)].toSorted();
  const way = chance.below(3);
  return {
    ...book,
    number: way === 0 ? book.number : '',
    isbn: way === 1 ? book.isbn.padStart(10, '0') : '',
    shelf: chance.pick(SHELVES),
    started: started ?? '',
    finished: finished ?? '',
    added: dayOf(chance),
    rating: String(chance.below(6)),
    review: chance.chance(0.2) ? '<p>I liked it &amp; more&#8217;</p>' : '',
    notes: '',
    tags: chance.chance(0.3) ? 'favourites, of-2020' : '',
  };
}

const unknownBook = (chance: Chance): Book => ({
  number: '',
  title: `A book that nobody has ${chance.uuid()}`,
  authors: 'An Unknown Author',
  isbn: '',
});

/** Writes lines in the format of a service. */
function written(service: string, lines: Iterable<Line>): Buffer {
  const columns = SERVICES[service] ?? {};
  const separator = service === 'LibraryThing' ? '\t' : ',';
  const parts = [Object.keys(columns).join(separator)];
  let bytes = 0;
  for (const line of lines) {
    const text = Object.values(columns)
      .map((cell) => quoted(cell(line)))
      .join(separator);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > BYTES_MAX) break;
    parts.push(text);
  }
  return Buffer.from(parts.join('\n'));
}

const manyOf = (count: number, make: () => Line): Line[] => Array.from({ length: count }, make);
const filled = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(1, Math.ceil(bytes / Buffer.byteLength(unit))));

/** A kind of file. The file has the given size, as a fraction of the limit of the server. */
type Kind = (chance: Chance, service: string, size: number) => Buffer;

/** Makes a file in which each line has one strange cell. */
const withCell =
  (name: keyof Line, text: (chance: Chance, units: number) => string, unitsMax: number): Kind =>
  (chance, service, size) => {
    const units = Math.ceil(unitsMax * Math.max(0.01, size));
    const count = Math.max(1, Math.floor((BYTES_MAX * size) / units / 3));
    const lines = manyOf(Math.min(count, LINES_MAX), () => ({ ...lineOf(chance), [name]: text(chance, units) }));
    return written(service, lines);
  };

/** Changes an honest file. */
const changed =
  (change: (file: Buffer, chance: Chance, size: number) => Buffer): Kind =>
  (chance, service, size) =>
    change(honest(chance, service, Math.min(size, 0.1)), chance, size);

const honest: Kind = (chance, service, size) =>
  written(
    service,
    manyOf(Math.ceil(LINES_MAX * size), () => lineOf(chance)),
  );

const followed = (units: readonly string[]): Kind =>
  changed((file, chance, size) => {
    const before = chance.chance(0.3) ? '' : `${file.toString()}\n`;
    return Buffer.from(before + filled(chance.pick(units), BYTES_MAX * size - before.length));
  });

/** The kinds of files, by their strange content. */
export const FILES: Readonly<Record<string, Kind>> = {
  honest,
  'as many lines as are taken, each as long as fits': (chance, service, size) => {
    const room = Math.floor(LINE_BYTES / 2);
    return written(
      service,
      manyOf(Math.ceil(LINES_MAX * size), () => ({ ...lineOf(chance), review: 'What a book! '.repeat(room / 13) })),
    );
  },
  'as many unknown books as lines are taken': (chance, service, size) =>
    written(
      service,
      manyOf(Math.ceil(LINES_MAX * size), () => lineOf(chance, unknownBook(chance))),
    ),
  'one line of empty cells': followed([',', ';', '\t', '"",', '"",""\t', ' ,', "',"]),
  'lines of nothing': followed(['\n', '\r\n', '\r', ',\n', ' \n', '\u2028', '""\n']),
  'lines of another width than the header': followed(['x\n', ',,,,,,,,,,,,,,,,,,,,\n', ' ,\n', '"x,y"\n']),
  'a quotation mark that is never closed': followed(['"', '"""', 'a"b', 'x,"y\n', '"x","y""\n']),
  'one cell that is the file': followed(['a', 'é', '\u0301', '☃ ', '"a\nb']),
  'many ISBNs in a line': withCell(
    'isbn',
    (chance, units) => filled(`978043902348${chance.below(10)}${chance.pick([',', ';', '|', ' '])}`, units),
    200_000,
  ),
  'long texts as titles': withCell('title', (chance, units) => longText(chance, units), 48_000),
  'digits as titles': withCell('title', (chance, units) => longText(chance, units, 'digits'), 48_000),
  'long texts as authors': withCell('authors', (chance, units) => longText(chance, units), 48_000),
  'long texts as reviews': withCell('review', (chance, units) => longText(chance, units), 50_000),
  'long texts as notes': withCell('notes', (chance, units) => longText(chance, units), 50_000),
  'long texts as tags': withCell('tags', (chance, units) => longText(chance, units), 40_000),
  'long texts as shelves': withCell('shelf', (chance, units) => longText(chance, units), 4_000),
  'many tags': withCell('tags', (chance, units) => filled(`t${chance.below(1_000)}, `, units), 40_000),
  'long lists of days': withCell(
    'started',
    (chance, units) => filled(`${dayOf(chance)}-${dayOf(chance)},`, units),
    40_000,
  ),
  'reversed days': (chance, service, size) =>
    written(
      service,
      manyOf(Math.ceil(LINES_MAX * size), () => {
        const line = lineOf(chance);
        return { ...line, started: line.finished, finished: line.started };
      }),
    ),
  'many lines about a book that is there': (chance, service, size) => {
    const book = chance.pick(sampleBooks());
    return written(
      service,
      manyOf(Math.ceil(5_000 * size), () => lineOf(chance, book)),
    );
  },
  'many lines about a book that is not there': (chance, service, size) => {
    const book = unknownBook(chance);
    return written(
      service,
      manyOf(Math.ceil(5_000 * size), () => lineOf(chance, book)),
    );
  },
  'lines quoted again and again': changed((file, chance) => {
    let lines = file.toString().split('\n').slice(0, 2_000);
    for (let times = 1 + chance.below(3); times > 0; times--) lines = lines.map(quoted);
    return Buffer.from(lines.join(chance.pick(['\n', '\r\n', ';\n', ',,,\n'])));
  }),
  UTF16: changed((file, chance) => {
    const text = Buffer.from(`${chance.pick(['', '\uFEFF'])}${file.toString()}`, 'utf16le');
    return chance.chance(0.5) ? text.subarray(0, text.length - 1) : text.swap16();
  }),
  'another encoding': changed((file, chance) => {
    const text = Buffer.from(
      file.toString().replaceAll('e', 'é').replaceAll('t', 'ß'),
      chance.pick(['latin1', 'utf8']),
    );
    const at = chance.below(text.length);
    text[at] = chance.pick([0, 0x80, 0xc3, 0xff]);
    return chance.chance(0.3) ? text.subarray(0, at + 1) : text;
  }),
  'no table': (chance, _service, size) =>
    Buffer.concat([
      Buffer.from(chance.pick(['PK\u0003\u0004', '%PDF-1.7\n', '<!DOCTYPE html><html>', '{"a":[', '\u001F\u008B', ''])),
      Buffer.from(filled(chance.pick(['\u0000', '<td>a,b</td>', '[[', '{"a":', '\u00FF']), BYTES_MAX * size)),
    ]),
  'more columns than names': changed((file, chance, size) =>
    Buffer.from(
      file
        .toString()
        .split('\n')
        .map((line) => line + filled(chance.pick([',', ',x', '\t']), 200 * size + 2))
        .join('\n'),
    ),
  ),
};

/** Makes a file of lines about one book, in which each has its ISBN. */
export function aboutOneBook(chance: Chance, book: Pick<Book, 'title' | 'authors' | 'isbn'>, lines: number): Upload {
  const about = { ...book, number: '' };
  const made = manyOf(lines, () => ({ ...lineOf(chance, about), isbn: book.isbn }));
  return { name: 'one book', body: written('StoryGraph', made) };
}

/** Makes an ISBN-13 that no book of the sample has. */
export function isbnOf(chance: Chance): string {
  const digits = `97999${String(chance.below(10_000_000)).padStart(7, '0')}`;
  const sum = Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3)).reduce((a, b) => a + b);
  return digits + String((10 - (sum % 10)) % 10);
}

const kinds = Object.keys(FILES);
const services = Object.keys(SERVICES);

/**
 * Makes a file.
 * @param size the fraction of the largest size
 */
export function uploadOf(chance: Chance, size: number, kind: string = chance.pick(kinds)): Upload {
  const service = chance.pick(services);
  const make = FILES[kind];
  if (!make) throw new Error(`There is no kind of file called ${kind}`);
  const body = make(chance, service, size);
  return { name: `${service}, ${kind}`, body: body.subarray(0, BYTES_MAX) };
}
