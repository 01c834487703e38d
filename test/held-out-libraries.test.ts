import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { importSample } from './support/books.ts';
import type { Client } from './support/client.ts';
import { GUESSES } from './support/guessed-books.ts';
import { FILES, type Line } from './support/held-out-libraries.ts';
import { untilImported } from './support/library-imports.ts';

/** Imports of the held-out files, whose expected results are in `held-out-libraries.ts`. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, 200);
});

interface Reading {
  readonly status: string | null;
  readonly since: string;
  readonly startedOn: string | null;
  readonly readings: readonly { readonly finishedOn: string | null; readonly startedOn: string | null }[];
}

interface Row {
  readonly line: number;
  readonly fate: string;
  readonly reason: string | null;
  readonly title: string;
  readonly book: {
    readonly title: string;
    readonly viewerRating: number | null;
    readonly viewerReading: Reading | null;
    readonly viewerReview: { readonly text: string; readonly hasSpoilers: boolean } | null;
  } | null;
}

/** Returns the lines of an import with their effects on the reader's library. */
async function linesOf(reader: Client, id: string): Promise<{ rows: readonly Row[]; unlisted: Map<number, string> }> {
  const { node, viewer } = await reader.data(
    `query ($id: ID!) {
      node(id: $id) { ... on LibraryImport { rows(first: 30) { nodes { line fate reason title book {
        title viewerRating viewerReview { text hasSpoilers }
        viewerReading { status since startedOn readings { finishedOn startedOn } }
      } } } } }
      viewer { unlistedBooks(first: 30) { nodes { line status } } }
    }`,
    { id },
  );
  const unlisted = viewer.unlistedBooks.nodes as readonly { line: number; status: string }[];
  return { rows: node.rows.nodes, unlisted: new Map(unlisted.map(({ line, status }) => [line, status])) };
}

/** The title without the series at the end of some titles of the catalogue. */
const plain = (title: string) => title.replace(/ *\([^()]*\)$/, '');

const saidOf = ({ status, since, startedOn }: Reading) =>
  status === 'READING' ? `READING ${startedOn ?? `since ${since.slice(0, 10)}`}` : status;

const readingsOf = ({ readings }: Reading) =>
  readings
    .map(({ startedOn, finishedOn }) => `${startedOn === null ? '' : `${startedOn}/`}${finishedOn ?? '?'}`)
    .join(' ');

/** Describes a line in the form of the table. */
function lineOf({ line, fate, title, book }: Row, unlisted: Map<number, string>): Line {
  if (fate === 'UNLISTED') return [fate, title, unlisted.get(line) ?? null];
  if (book === null) return [fate, title];
  const { viewerReading: reading, viewerRating: rating } = book;
  if (reading === null) return [fate, plain(book.title), null, '', rating];
  return [fate, plain(book.title), saidOf(reading), readingsOf(reading), rating];
}

/** Fills in the values that a line of the table leaves out. */
function filled(line: Line): Line {
  const [fate, title, status = null, readings = '', rating = null] = line;
  return fate === 'MATCHED' || fate === 'NOT_KEPT' ? [fate, title, status, readings, rating] : line;
}

test.each(Object.entries({ ...FILES, ...GUESSES }))('%s: every line has its fate', async (name, expected) => {
  const reader = await server.client().registerSomebody();
  const file = await readFile(join(import.meta.dirname, 'own-libraries/held-out', name));
  const done = await untilImported(reader, file);
  const reviews = expected.reviews ?? {};
  await reader.mutate('publishImportedReviews', { importId: done.id }, '__typename');
  const { rows, unlisted } = await linesOf(reader, done.id);

  expect(done.source).toBe(expected.source);
  expect(rows.map((row) => lineOf(row, unlisted))).toEqual(expected.lines.map(filled));
  for (const [title, left] of Object.entries(expected.reasons ?? {}))
    expect(rows.find(({ book }) => book !== null && plain(book.title) === title)?.reason).toContain(left);
  expect(
    Object.fromEntries(
      rows.flatMap(({ book }) => (book?.viewerReview ? [[plain(book.title), book.viewerReview] as const] : [])),
    ),
  ).toEqual(reviews);
});

test.each([
  ['25/4/2023', '4/5/2022', '2023-04-25', '2022-05-04'],
  ['4/25/2023', '4/5/2022', '2023-04-25', '2022-04-05'],
  ['25-04-2023', '04-05-2022', '2023-04-25', '2022-05-04'],
  ['3.4.2023', '31.02.2022', '2023-04-03', '?'],
  // Nothing is guessed.
  ['3/4/2023', '4/5/2022', '?', '?'],
  ['25/4/2023', '5/31/2022', '?', '?'],
  ['05/25/21', '3/4/99', '2021-05-25', '1999-03-04'],
  ['25.05.21', '04.03.2019', '2021-05-25', '2019-03-04'],
  // The year may be the first number or the last.
  ['25/05/21', '21/05/09', '?', '?'],
  ['March 4, 2021', '4-Mar-2021', '2021-03-04', '2021-03-04'],
])('a spreadsheet wrote the days %s and %s', async (one, other, ...expected) => {
  const reader = await server.client().registerSomebody();
  const lines = [`The Hobbit,J.R.R. Tolkien,,read,"${one}"`, `Divergent,Veronica Roth,,read,"${other}"`];
  const file = ['Title,Author,Bookshelves,Exclusive Shelf,Date Read', ...lines].join('\n');
  const { id } = await untilImported(reader, Buffer.from(file));
  const { rows } = await linesOf(reader, id);
  expect(rows.map(({ book }) => book?.viewerReading && readingsOf(book.viewerReading))).toEqual(expected);
});

test.each([
  [
    null,
    'Title,Author,Bookshelves,Exclusive Shelf,Date Added,Date Read,Read Count',
    'Divergent,Veronica Roth,,did-not-finish,2023/01/01,2023/03/01,1',
  ],
  [
    '2023-02-01',
    'Title,Primary Author,Collections,Entry Date,Date Started,Date Read',
    'Divergent,"Roth, Veronica","Your library, Did not finish",[2023-01-01],[2023-02-01],[2023-03-01]',
  ],
  [
    '2023-02-01',
    'Title,Author,Status,Date Added,Date Started,Date Finished',
    'Divergent,Veronica Roth,Did Not Finish,2023-01-01,2023-02-01,2023-03-01',
  ],
  [
    '2023-02-01',
    'Title,Authors,Read Status,Date Added,Dates Read',
    'Divergent,Veronica Roth,did-not-finish,2023/01/01,2023/02/01-2023/03/01',
  ],
  [
    '2023-02-01',
    'title,author_text,remote_id,start_date,stopped_date,shelf_name,shelf_date',
    'Divergent,Veronica Roth,,2023-02-01,2023-03-01,Summer,2023-01-01',
  ],
])('a book begun on %s is given up since the last day of its reading: %s', async (startedOn, ...file) => {
  const reader = await server.client().registerSomebody();
  const { id } = await untilImported(reader, Buffer.from(file.join('\n')));
  const { rows } = await linesOf(reader, id);
  expect(rows[0]?.book?.viewerReading).toMatchObject({ status: 'GIVEN_UP', readings: [], startedOn });
  expect(rows[0]?.book?.viewerReading?.since).toMatch(/^2023-03-01/);
});
