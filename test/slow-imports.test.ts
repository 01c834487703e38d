import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { removeBook } from '../src/catalogue/operations.ts';
import { chooseBook } from '../src/libraryimports/chosen-book.ts';
import { readings } from '../src/reading/aggregate.ts';
import { everyAudit } from '../src/app/workers.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { some } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { importOf, untilImported, type Import } from './support/library-imports.ts';
import { doAllJobs } from './support/jobs.ts';

/** Servers that stall while they process an import, and then continue and die. */

let server: TestServer;
let bookIds: readonly string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  bookIds = await ownBooks(server.app, 3);
});

const HEADER = 'Book Id,Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf';
const numberOf = (bookId: string) => keyOf(bookId).replace('goodreads-', '');
const lineOf = (bookId: string, rating = 4) => `${numberOf(bookId)},A Book,An Author,${rating},2020/01/02,read,read`;
const fileOf = (...lines: string[]) => Buffer.from([HEADER, ...lines].join('\n'));

/** Returns the status, the days and the rating of each book. */
async function libraryOf(reader: Client): Promise<unknown> {
  const { nodes } = await reader.data(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book {
      viewerRating viewerReading { status readings { finishedOn } }
    } } }`,
    { ids: bookIds },
  );
  return nodes;
}

/**
 * Begins a call on a server that stalls at some points until it is resumed.
 * @param dies the points after which it does nothing any more
 * @returns a function that resumes it, and resolves when it has died or answered
 */
async function stalledAt(
  points: readonly string[],
  dies: readonly string[],
  reader: Client,
  call: (client: Client) => Promise<unknown>,
): Promise<() => Promise<unknown>> {
  const [reached, resumed, died] = [1, 2, 3].map(() => Promise.withResolvers<undefined>());
  let isResumed = false;
  const slow = await startServer(server.app.config, {
    atCrashPoint: async (name) => {
      if (points.includes(name)) {
        reached!.resolve(undefined);
        await resumed!.promise;
      }
      if (!isResumed || !dies.includes(name)) return;
      died!.resolve(undefined);
      await new Promise(() => undefined);
    },
  });
  onTestFinished(() => {
    resumed!.resolve(undefined);
  });
  const client = slow.client();
  client.token = reader.token;
  const answer = call(client).catch(() => undefined);
  await reached!.promise;
  return () => {
    isResumed = true;
    resumed!.resolve(undefined);
    return Promise.race([died!.promise, answer]);
  };
}

/** Returns the newest import of a reader. */
async function newestOf(reader: Client): Promise<{ readonly id: string }> {
  const { viewer } = await reader.data('{ viewer { libraryImports(first: 1) { nodes { id status lines pending } } } }');
  return viewer.libraryImports.nodes[0];
}

const undo = (reader: Client, importId: string) =>
  reader.mutate('undoImport', { importId }, 'libraryImport { status pending }');

const DEAD = ['reading: after compare-and-set', 'rating: after compare-and-set'];
const NOTHING = { viewerRating: null, viewerReading: { status: null, readings: [] } };

const ADDING = [
  ['before it adds readings', 'reading: before compare-and-set'],
  ['when it has just found that the import goes on', 'reading: after lines'],
  ['before it adds ratings', 'rating: before compare-and-set'],
  ['when it has just found that the import goes on, before it adds ratings', 'rating: after lines'],
] as const;

test.each(some(ADDING, 2))(
  'a server that stalls %s, and dies after the undo, leaves nothing behind',
  async (_name, point) => {
    const reader = await server.client().registerSomebody();
    const file = fileOf(...bookIds.map((bookId) => lineOf(bookId)));
    const resume = await stalledAt([point], DEAD, reader, (client) => client.importMyLibrary(file));
    const { id, matched } = await untilImported(reader, file);
    expect(matched).toBe(3);
    expect((await undo(reader, id)).libraryImport).toEqual({ status: 'UNDONE', pending: 3 });

    await resume();
    expect(await libraryOf(reader)).toEqual([NOTHING, NOTHING, NOTHING]);
    expect(await importOf(reader, id)).toMatchObject({ status: 'UNDONE', pending: 3 });
  },
);

/**
 * Begins an import on a server that stalls before it adds a reading, and ends it on another, which
 * adds none because the book was removed meanwhile.
 * @returns the key of the reading, and a function that resumes the first server
 */
async function stalledBeforeOnlyReading(reader: Client) {
  const [gone = ''] = await ownBooks(server.app, 1);
  const file = fileOf(lineOf(gone, 0));
  const resume = await stalledAt(['reading: after lines'], DEAD, reader, (client) => client.importMyLibrary(file));
  const [userId = '', bookId = ''] = [reader.viewerId, gone].map(keyOf);
  await removeBook(server.app, bookId);
  const { id, notKept } = await untilImported(reader, file);
  expect(notKept).toBe(1);
  return { id, key: { userId, bookId }, resume };
}

test('a stalled server that would add data that nobody else has added does the same', async () => {
  const reader = await server.client().registerSomebody();
  const { id, key, resume } = await stalledBeforeOnlyReading(reader);
  await undo(reader, id);

  await resume();
  expect(await readings.read(server.app, key)).toMatchObject({ marked: false, history: [] });
});

test('data that a stalled server adds just before the undo makes sure of its end is removed', async () => {
  const reader = await server.client().registerSomebody();
  const { id, key, resume } = await stalledBeforeOnlyReading(reader);
  // The undo has read that there is nothing to remove.
  const goOn = await stalledAt(['reading: before compare-and-set'], [], reader, (client) => undo(client, id));

  await resume();
  expect(await readings.read(server.app, key)).toMatchObject({ marked: true });
  await goOn();
  expect(await readings.read(server.app, key)).toMatchObject({ marked: false });
});

test('a server that stalls while the reader chooses another book for its lines adds nothing to the former book', async () => {
  const reader = await server.client().registerSomebody();
  const [left = '', chosen = ''] = bookIds;
  const file = fileOf(lineOf(left));
  const resume = await stalledAt(['reading: after lines'], DEAD, reader, (client) => client.importMyLibrary(file));
  const { id } = await untilImported(reader, file);
  await reader.mutate('resolveImportRow', { importId: id, line: 1, bookId: chosen }, '__typename');

  await resume();
  const brought = { viewerRating: 4, viewerReading: { status: 'READ', readings: [{ finishedOn: '2020-01-02' }] } };
  expect(await libraryOf(reader)).toMatchObject([NOTHING, brought, {}]);
});

test('a server that continues after that removes the former book before it adds the other', async () => {
  const reader = await server.client().registerSomebody();
  const [left = '', chosen = ''] = bookIds;
  const file = fileOf(lineOf(left));
  const resume = await stalledAt(['reading: after lines'], [], reader, (client) => client.importMyLibrary(file));
  const { id } = await newestOf(reader);
  // The job of this choice has not begun when the first job continues.
  await chooseBook(server.app, keyOf(id), 1, keyOf(chosen), () => undefined);

  await resume();
  await doAllJobs(server.app);
  const brought = { viewerRating: 4, viewerReading: { status: 'READ', readings: [{ finishedOn: '2020-01-02' }] } };
  expect(await libraryOf(reader)).toMatchObject([NOTHING, brought, {}]);
});

const TAKING_BACK = [
  ['when it has just found that the undo goes on', 'reading: after lines'],
  ['before it takes a reading back', 'reading: before compare-and-set'],
  ['before it takes a rating back', 'rating: before compare-and-set'],
] as const;

test.each(some(TAKING_BACK, 2))(
  'a server that stalls %s takes nothing back of the import that the reader begins then',
  async (_name, point) => {
    const reader = await server.client().registerSomebody();
    const file = fileOf(...bookIds.map((bookId) => lineOf(bookId)));
    const { id } = await untilImported(reader, file);
    const brought = await libraryOf(reader);
    const resume = await stalledAt([point], [], reader, (client) => undo(client, id));
    await undo(reader, id);
    expect(await untilImported(reader, file)).toMatchObject({ id, matched: 3 });
    expect(await libraryOf(reader)).toEqual(brought);

    await resume();
    expect(await libraryOf(reader)).toEqual(brought);
    expect(await importOf(reader, id)).toMatchObject({ status: 'DONE', matched: 3, pending: 0 });
  },
);

test('a server that stalls while its reader deletes the account leaves nothing behind', async () => {
  const reader = await server.client().registerSomebody();
  const file = fileOf(...bookIds.map((bookId) => lineOf(bookId)));
  const resume = await stalledAt(['reading: before lines'], DEAD, reader, (client) => client.importMyLibrary(file));
  await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
  await doAllJobs(server.app);

  await resume();
  // The number of imports of a day expires with it.
  const userId = keyOf(reader.viewerId);
  expect(await server.rowsAbout([userId])).toEqual(['tries_by_subject', 'users_by_id']);
});

test('files with the same books in another order, sent at once, add each reading once', async () => {
  const reader = await server.client().registerSomebody();
  const lines = bookIds.map((bookId) => lineOf(bookId));
  const files = [lines, lines.toReversed(), [...lines, lines[0]!]].map((each) => fileOf(...each));
  // A server receives one file of a reader at a time.
  const elsewhere = await Promise.all(
    files.map(async () => Object.assign((await startServer(server.app.config)).client(), { token: reader.token })),
  );
  await Promise.all(files.map((file, place) => untilImported(elsewhere[place] ?? reader, file)));
  const once = { viewerRating: 4, viewerReading: { status: 'READ', readings: [{ finishedOn: '2020-01-02' }] } };
  expect(await libraryOf(reader)).toEqual([once, once, once]);
});

test('an import in progress adds again the data that the undo of an earlier one removed', async () => {
  const reader = await server.client().registerSomebody();
  const [both = ''] = bookIds;
  const { id } = await untilImported(reader, fileOf(lineOf(both)));
  const brought = await libraryOf(reader);
  // The lines are processed in pages of 200: first all are matched, then all are applied. The book
  // is on the first page of both.
  const others = (await ownBooks(server.app, 10)).map((bookId) => lineOf(bookId));
  const later = fileOf(...[lineOf(both), ...others].flatMap((line) => Array.from({ length: 20 }, () => line)));
  const resume = await stalledAt(['IMPORT_LIBRARY: after page 3'], [], reader, (client) =>
    client.importMyLibrary(later),
  );
  await undo(reader, id);
  await resume();
  await doAllJobs(server.app);
  expect(await libraryOf(reader)).toEqual(brought);
  expect(await importOf(reader, (await newestOf(reader)).id)).toMatchObject({ status: 'DONE', pending: 0 });
});

test('an upload that dies before all lines are stored can be undone, or sent again', async () => {
  const reader = await server.client().registerSomebody();
  const file = fileOf(lineOf(bookIds[0]!));
  const point = 'library import: after list';
  const resume = await stalledAt([point], [point], reader, (client) => client.importMyLibrary(file));
  const { id } = await newestOf(reader);
  const input = { importId: id, line: 1, bookId: bookIds[0] };
  expect(await reader.mutate('resolveImportRow', input, '__typename')).toMatchObject({
    userErrors: [
      { code: 'INVALID_INPUT', path: ['input', 'importId'], message: expect.stringContaining('Send it again') },
    ],
  });
  expect((await undo(reader, id)).libraryImport).toMatchObject({ status: 'UNDONE' });

  await resume();
  expect(await importOf(reader, id)).toMatchObject({ status: 'UNDONE' });
  expect(await untilImported(reader, file)).toMatchObject({ id, lines: 1, matched: 1 });
});

test('an upload that dies before a line is stored is deleted with the account', async () => {
  const reader = await server.client().registerSomebody();
  const point = 'library import: after list';
  await stalledAt([point], [point], reader, (client) => client.importMyLibrary(fileOf(lineOf(bookIds[0]!))));
  const { id } = await newestOf(reader);

  await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
  await doAllJobs(server.app);
  const left = await server.rowsAbout([reader.viewerId, id].map(keyOf));
  // Another server finishes the entry of the dead one, seconds later.
  expect(left.filter((table) => table !== 'transaction_log')).toEqual([
    'library_imports',
    'tries_by_subject',
    'users_by_id',
  ]);
});

test('the fates add up to the lines, and the progress rises from the first page on', async () => {
  const reader = await server.client().registerSomebody();
  const looks: Import[] = [];
  const slow = await startServer(server.app.config, {
    atCrashPoint: async (name) => {
      if (/IMPORT.*: after page/.test(name)) looks.push(await importOf(reader, (await newestOf(reader)).id));
    },
  });
  const client = slow.client();
  client.token = reader.token;
  // A page has 200 lines, so both parts of the job have two.
  const lines = Array.from({ length: 201 }, (_, index) => lineOf(bookIds[index % 3]!));
  await client.importMyLibrary(fileOf(...lines));
  await doAllJobs(slow.app);
  const done = await importOf(reader, (await newestOf(reader)).id);
  expect(done).toMatchObject({ status: 'DONE', lines: 201, pending: 0, progress: 1 });

  await undo(client, done.id);
  await doAllJobs(slow.app);
  expect(await importOf(reader, done.id)).toMatchObject({ status: 'UNDONE', progress: 1 });

  const fatesOf = ({ pending, matched, ambiguous, unlisted, failed, notKept }: Import) =>
    pending + matched + ambiguous + unlisted + failed + notKept;
  expect(looks.map(fatesOf)).toEqual(looks.map(() => 201));
  expect(looks[0]).toMatchObject({ pending: 201, progress: 100 / 201 });
  for (const status of ['RUNNING', 'UNDOING']) {
    const progress = looks.filter((look) => look.status === status).map((look) => look.progress);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    expect(progress[0]).toBeGreaterThan(0);
  }
});

test('nothing has drifted', async () => {
  expect((await audited(server.app, everyAudit)).drift).toEqual([]);
});
