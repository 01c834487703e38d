import { beforeAll, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { doAllJobs } from './support/jobs.ts';
import { untilImported } from './support/library-imports.ts';

/** Shelves of readers' own in imports, of which they say what they mean. */

let server: TestServer;
let bookId: string;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  [bookId = ''] = await ownBooks(server.app, 1);
});

const HEADER = 'Book Id,Title,Author,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf';
const fileOf = (...lines: string[]) => Buffer.from([HEADER, ...lines].join('\n'));
const line = (day = '2020/01/02', shelf = 'half') =>
  `${keyOf(bookId).replace('goodreads-', '')},A Book,Somebody,4,${day},2019/05/06,${shelf},${shelf}`;

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

test('it has none either if its shelf was mapped to another status before, and has it again after that', async () => {
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

test('readings that another line tells, or the reader, stay', async () => {
  const { reader, importId } = await imported(line(), line('2018/03/04', 'read'));
  await map(reader, importId, 'GIVEN_UP');
  // The status that has most to say counts.
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
