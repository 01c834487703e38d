import { beforeAll, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { imports } from '../src/libraryimports/aggregate.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { doAllJobs } from './support/jobs.ts';
import { importOf, untilImported } from './support/library-imports.ts';

/** Shelves of readers' own in imports, for which the readers choose a status. */

let server: TestServer;
let bookId: string;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  [bookId = ''] = await ownBooks(server.app, 1);
});

const HEADER = 'Book Id,Title,Author,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf';
const fileOf = (...lines: string[]) => Buffer.from([HEADER, ...lines].join('\n'));
const line = (day = '2020/01/02', shelf = 'half') =>
  `${keyOf(bookId).replace('goodreads-', '')},A Book,An Author,4,${day},2019/05/06,${shelf},${shelf}`;

async function imported(...lines: string[]): Promise<{ reader: Client; importId: string }> {
  const reader = await server.client().registerSomebody();
  return { reader, importId: (await untilImported(reader, fileOf(...lines))).id };
}

async function map(reader: Client, importId: string, becomes: string): Promise<void> {
  const { userErrors } = await reader.mutate('mapImportShelf', { importId, shelf: 'half', becomes }, '__typename');
  expect(userErrors).toEqual([]);
}

/** Returns the status of the book, the days on which it was read, and whether it is in the list. */
async function readingOf(reader: Client): Promise<unknown> {
  const { node, viewer } = await reader.data(
    `query ($bookId: ID!) {
      node(id: $bookId) { ... on Book { viewerReading { status readings { finishedOn } } } }
      viewer { readBooks { edges { finishedOn } } shelf(status: GIVEN_UP) { edges { since } } }
    }`,
    { bookId },
  );
  const { status = null, readings = [] } = node.viewerReading ?? {};
  const daysOf = (edges: readonly { finishedOn: string }[]) => edges.map(({ finishedOn }) => finishedOn);
  return [
    status,
    daysOf(readings),
    daysOf(viewer.readBooks.edges),
    viewer.shelf.edges.map(({ since }: { since: string }) => since),
  ];
}

const GIVEN_UP = ['GIVEN_UP', [], [], ['2020-01-02T12:00:00.000Z']];
const READ = ['READ', ['2020-01-02'], ['2020-01-02'], []];

test('a book that was given up has no day on which it was finished', async () => {
  const { reader, importId } = await imported(line());
  await map(reader, importId, 'GIVEN_UP');
  expect(await readingOf(reader)).toEqual(GIVEN_UP);
  await map(reader, importId, 'GIVEN_UP');
  expect(await readingOf(reader)).toEqual(GIVEN_UP);
});

test('it has no such day either if its shelf was mapped to another status before, and gets it again after that', async () => {
  const { reader, importId } = await imported(line());
  for (const [becomes, expected] of [
    ['READ', READ],
    ['GIVEN_UP', GIVEN_UP],
    ['READ', READ],
  ] as const) {
    await map(reader, importId, becomes);
    expect(await readingOf(reader)).toEqual(expected);
  }
  await reader.mutate('undoImport', { importId }, '__typename');
  expect(await readingOf(reader)).toEqual([null, [], [], []]);
});

test('readings that come from another line or from the reader are kept', async () => {
  const { reader, importId } = await imported(line(), line('2018/03/04', 'read'));
  await map(reader, importId, 'GIVEN_UP');
  // The strongest status is used.
  expect(await readingOf(reader)).toEqual(['READ', ['2018-03-04'], ['2018-03-04'], []]);

  const other = await imported(line());
  await map(other.reader, other.importId, 'READ');
  await other.reader.mutate('markAsRead', { bookId, finishedOn: '2024-05-06' }, '__typename');
  await map(other.reader, other.importId, 'GIVEN_UP');
  const days = ['2024-05-06', '2020-01-02'];
  expect(await readingOf(other.reader)).toEqual(['READ', days, ['2024-05-06'], []]);
});

test('nothing has drifted', async () => {
  await doAllJobs(server.app);
  expect((await audited(server.app, everyAudit)).drift).toEqual([]);
});

test('the lines of an import are processed again a limited number of times a day', async () => {
  const { reader, importId } = await imported(line());
  const key = { importId: keyOf(importId) };
  await imports.amend(server.app, key, (state) => Promise.resolve({ ...state, lines: 190_000 }));
  const undo = () => reader.mutate('undoImport', { importId }, 'libraryImport { status }');
  expect(await undo()).toEqual({ userErrors: [], libraryImport: { status: 'UNDONE' } });
  await untilImported(reader, fileOf(line()));
  await imports.amend(server.app, key, (state) => Promise.resolve({ ...state, lines: 10_001 }));
  const { userErrors } = await undo();
  expect(userErrors).toMatchObject([{ code: 'RATE_LIMITED', message: expect.stringContaining('200000 lines') }]);
  expect((await importOf(reader, importId)).status).toBe('DONE');
});

test('an import has at most as many lines as a file, and one request can count them', async () => {
  const reader = await server.client().registerSomebody();
  const review = 'As long as many reviews are. '.repeat(15);
  const length = runs(20_000, 4_000);
  const lines = Array.from({ length }, (_, index) => `Nobody Has This ${index},Ann Lee,,read,${review}`);
  // A line without a title among more lines than a request may read.
  const place = 0.85 * length;
  lines[place] = `,Ann Lee,,read,${review}`;
  const file = Buffer.from(['Title,Author,Bookshelves,Exclusive Shelf,My Review', ...lines].join('\n'));
  const answer = await reader.importMyLibrary(file);
  const { id } = (await answer.json()) as { id: string };
  const { queries } = server.app.config;
  const bytesMax = queries.bytesMax * (length / 20_000);
  const counting = await startServer({ ...server.app.config, queries: { ...queries, bytesMax } });
  const onlooker = Object.assign(counting.client(), { token: reader.token });
  const { lines: all, status, pending, unlisted, failed } = await importOf(onlooker, id);
  const sum = pending + unlisted + failed;
  expect({ all, status, sum, failed }).toEqual({ all: length, status: 'RUNNING', sum: length, failed: 1 });
  const query = `query ($id: ID!) { node(id: $id) { ... on LibraryImport {
    rows(last: 1) { nodes { line title } } failed: rows(status: FAILED) { nodes { line } }
  } } }`;
  const { node } = await onlooker.data(query, { id });
  expect(node.rows.nodes).toEqual([{ line: length, title: `Nobody Has This ${length - 1}` }]);
  expect(node.failed.nodes).toEqual([{ line: place + 1 }]);
  // Importing all of the lines would take half a minute and test nothing more.
  await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
  await doAllJobs(server.app);
});
