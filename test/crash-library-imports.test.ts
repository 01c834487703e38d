import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { points, startSurvivor, type Survivor } from './support/crash.ts';
import { some } from './support/full.ts';
import { importOf, untilImported } from './support/library-imports.ts';

/** Kills a server (-9) at every point of an import, and then has the reader send the file again. */

const FILE = join(import.meta.dirname, 'own-libraries/goodreads-24.csv');

const EVERY_POINT = [
  ...points('library import', ['compare-and-set', 'list', 'job']),
  ...points('rating', ['compare-and-set', 'raters', 'count', 'lists']),
  ...points('reading', ['compare-and-set', 'shelves', 'events', 'readers', 'actions', 'lists']),
  'IMPORT_LIBRARY: after page 1',
  'IMPORT_LIBRARY: after page 2',
];
const POINTS = some(EVERY_POINT, 8);

const PUBLISHING = points('review', ['compare-and-set', 'texts', 'lists']);

const RESOLVING = some(
  [
    ...points('reading', ['compare-and-set', 'shelves', 'readers', 'lists']),
    'IMPORT_LIBRARY: after page 1',
    'IMPORT_LIBRARY: after page 2',
  ],
  4,
);
const UNLISTED_LINE = 6;

const LEAVING = some(
  [
    ...points('reading', ['lines', 'compare-and-set', 'shelves', 'readers', 'lists']),
    ...points('rating', ['compare-and-set', 'raters', 'count', 'lists']),
    ...[1, 2, 3].map((page) => `IMPORT_LIBRARY: after page ${page}`),
  ],
  5,
);
const MATCHED_LINE = 1;

const IMPORTS_AT_ONCE = 8;

let survivor: Survivor;
let file: Buffer;
const readers = new Map<string, Client>();
const imports = new Map<string, string>();
/** The books of lines, each with the readers who choose it. */
let bookId: string;
interface Resolving {
  readonly reader: Client;
  readonly importId: string;
}
const resolving = new Map<string, Resolving>();
/** The readers who state that a line is about no book, with the book that it was matched with. */
const leaving = new Map<string, Resolving & { readonly left: string | undefined }>();

beforeAll(async () => {
  survivor = await startSurvivor();
  file = await readFile(FILE);
  for (const point of POINTS) readers.set(point, await survivor.client().registerSomebody(point));
  // A server accepts eight long files at once.
  for (let from = 0; from < POINTS.length; from += IMPORTS_AT_ONCE)
    await survivor.crashAtEach(POINTS.slice(from, from + IMPORTS_AT_ONCE), (client, point) => {
      client.token = readers.get(point)!.token;
      return client.importMyLibrary(file);
    });

  for (const point of PUBLISHING) {
    const reader = await survivor.client().registerSomebody(point);
    readers.set(point, reader);
    imports.set(point, (await untilImported(reader, file)).id);
  }
  await survivor.crashAtEach(PUBLISHING, (client, point) => {
    client.token = readers.get(point)!.token;
    return client.mutate('publishImportedReviews', { importId: imports.get(point) }, '__typename');
  });

  [bookId = ''] = await ownBooks(survivor.app, 1);
  for (const point of RESOLVING) {
    const reader = await survivor.client().registerSomebody(point);
    resolving.set(point, { reader, importId: (await untilImported(reader, file)).id });
  }
  await survivor.crashAtEach(RESOLVING, (client, point) => {
    const { reader, importId } = resolving.get(point)!;
    client.token = reader.token;
    return client.mutate('resolveImportRow', { importId, line: UNLISTED_LINE, bookId }, '__typename');
  });

  for (const point of LEAVING) {
    const reader = await survivor.client().registerSomebody();
    const { id: importId, rows } = await untilImported(reader, file);
    leaving.set(point, { reader, importId, left: rows[MATCHED_LINE - 1]?.book?.id });
  }
  await survivor.crashAtEach(LEAVING, (client, point) => {
    const { reader, importId } = leaving.get(point)!;
    client.token = reader.token;
    return client.mutate('resolveImportRow', { importId, line: MATCHED_LINE, bookId: null }, '__typename');
  });
});

test.each(POINTS)('killed %s: each line is imported once', async (point) => {
  const reader = readers.get(point)!;
  const done = await untilImported(reader, file);
  expect(done).toMatchObject({ status: 'DONE', lines: 10, pending: 0, failed: 1 });
  const { viewer } = await reader.data(`{ viewer { libraryImports { nodes { id } }
    notifications { nodes { kind subject { id } } }
    shelf(first: 20) { nodes { title viewerReading { history { status } readings { finishedOn } } } } } }`);
  expect(viewer.libraryImports.nodes).toEqual([{ id: done.id }]);
  expect(viewer.notifications.nodes).toEqual([{ kind: 'IMPORT_ENDED', subject: { id: done.id } }]);
  expect(viewer.shelf.nodes).toHaveLength(done.matched);
  for (const { viewerReading } of viewer.shelf.nodes as { viewerReading: { history: []; readings: [] } }[]) {
    expect(viewerReading.history).toHaveLength(1);
    expect(viewerReading.readings.length).toBeLessThanOrEqual(1);
  }
});

test.each(PUBLISHING)('killed %s: the review is published once', async (point) => {
  const reader = readers.get(point)!;
  await reader.mutate('publishImportedReviews', { importId: imports.get(point) }, '__typename');
  const { viewer } = await reader.data('{ viewer { reviews(first: 20) { nodes { text } } } }');
  expect(viewer.reviews.nodes).toEqual([{ text: 'Read in one night.\nTwice.' }]);
});

test.each(RESOLVING)('killed %s: the line that the reader has resolved is imported once', async (point) => {
  const { reader, importId } = resolving.get(point)!;
  const { rows } = await importOf(reader, importId);
  expect(rows[UNLISTED_LINE - 1]).toMatchObject({ fate: 'MATCHED', book: { id: bookId } });
  const { node, viewer } = await reader.data(
    `query ($bookId: ID!) {
      node(id: $bookId) { ... on Book { viewerReading { history { status } readings { finishedOn } } } }
      viewer { unlistedBooks { nodes { title } } }
    }`,
    { bookId },
  );
  expect(node.viewerReading).toEqual({ history: [{ status: 'READ' }], readings: [{ finishedOn: '2018-01-01' }] });
  expect(viewer.unlistedBooks.nodes).not.toContainEqual({ title: 'A Book That Nobody Has' });
});

test.each(LEAVING)('killed %s: the line leaves no data at the book that it is not about', async (point) => {
  const { reader, importId, left } = leaving.get(point)!;
  const { rows } = await importOf(reader, importId);
  expect(rows[MATCHED_LINE - 1]).toMatchObject({ fate: 'UNLISTED', book: null, candidates: [{ id: left }] });
  const { node } = await reader.data(
    `query ($left: ID!) { node(id: $left) { ... on Book {
      viewerRating viewerReading { status readings { finishedOn } }
    } } }`,
    { left },
  );
  expect(node).toEqual({ viewerRating: null, viewerReading: { status: null, readings: [] } });
});

test('nothing has drifted', async () => {
  expect((await audited(survivor.app, everyAudit)).drift).toEqual([]);
});
