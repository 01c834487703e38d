import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';

const STATUSES = ['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP'] as const;
type Status = (typeof STATUSES)[number];
let server: TestServer;
let now: number;
let books: string[];

beforeAll(async () => {
  now = Date.UTC(2026, 5, 1);
  server = await startServer(await sharedKeyspace({ ACCESS_TOKEN_SECONDS: '86400' }), {
    clock: () => new Date(now),
  });
  books = await ownBooks(server.app, 4);
});

const READING = 'viewerReading { status progress since reads startedOn finishedOn history { status progress at } }';
const setStatus = (client: Client, bookId: string, status: string | null, progress?: number) =>
  client.mutate('setReadingStatus', { bookId, status, progress }, `book { id ${READING} }`);
const shelf = (client: Client, status: string | null) => (args: string) =>
  client
    .data(
      `{ viewer { shelf(status: ${status}, ${args}) { edges { status since progress cursor node { id } } ${PAGE_INFO} } } }`,
    )
    .then((data) => data.viewer.shelf);
const iso = (at: number) => new Date(at).toISOString();

describe('the reading of a book', () => {
  test('is a history, with the days of its beginning and end in the reader’s time zone', async () => {
    now = Date.UTC(2026, 5, 2, 23, 30);
    const client = await server.client().registerSomebody();
    const [book] = books as [string];
    await setStatus(client, book, 'WANT_TO_READ');
    await setStatus(client, book, 'READING');
    now += 3_600_000;
    await setStatus(client, book, 'READING', 40);
    now += 72_000_000;
    const gaveUp = await setStatus(client, book, 'GIVEN_UP');
    expect(gaveUp.book.viewerReading).toMatchObject({ status: 'GIVEN_UP', progress: 40, reads: [], finishedOn: null });
    now += 3_600_000;
    await setStatus(client, book, 'READING', 50);
    await setStatus(client, book, 'READ');
    now += 1_000;
    await setStatus(client, book, 'READING');
    const again = await setStatus(client, book, 'READ');
    expect(again.book.viewerReading).toMatchObject({ status: 'READ', progress: 100 });
    expect(again.book.viewerReading.reads).toHaveLength(2);
    expect(again.book.viewerReading.history.map((each: { status: Status }) => each.status)).toEqual([
      'WANT_TO_READ',
      'READING',
      'READING',
      'GIVEN_UP',
      'READING',
      'READ',
      'READING',
      'READ',
    ]);
    const zones = `{ node(id: "${book}") { ... on Book { viewerReading { utc: finishedOn tokyo: finishedOn(timeZone: "Asia/Tokyo") honolulu: startedOn(timeZone: "Pacific/Honolulu") } } }
      viewer { readBooks { edges { utc: readOn eucla: readOn(timeZone: "Australia/Eucla") } }
               actions(kinds: [STATUS_CHANGED, READ], first: 100) { edges { node { kind status book { id } } } } } }`;
    const { node, viewer } = await client.data(zones);
    expect(node.viewerReading).toEqual({ utc: '2026-06-03', tokyo: '2026-06-04', honolulu: '2026-06-03' });
    expect(viewer.readBooks.edges).toEqual([{ utc: '2026-06-03', eucla: '2026-06-04' }]);
    const done = viewer.actions.edges.map((edge: { node: { kind: string; status: Status | null } }) =>
      edge.node.kind === 'READ' ? 'READ' : edge.node.status,
    ) as (Status | null)[];
    expect(done.toReversed()).toEqual([
      'WANT_TO_READ',
      'READING',
      'READING',
      'GIVEN_UP',
      'READING',
      'READ',
      'READING',
      'READ',
    ]);
    const wrongZone = `{ node(id: "${book}") { ... on Book { viewerReading { finishedOn(timeZone: "Mars/Olympus") } } } }`;
    expect(await client.errorCode(wrongZone)).toBe('BAD_USER_INPUT');
    const stranger = await server.client().registerSomebody();
    const others = await stranger.data(
      `{ book: node(id: "${book}") { ... on Book { viewerReading { status } } } user: node(id: "${client.viewerId}") { ... on User { shelf(status: READ) { edges { cursor } } } } }`,
    );
    expect(others).toEqual({ book: { viewerReading: null }, user: { shelf: null } });
  });

  test('several changes in one request each answer the state after them', async () => {
    const client = await server.client().registerSomebody();
    const answer = 'book { viewerReading { status } }';
    const of = (mutation: string, more = '') => `${mutation}(input: { bookId: "${books[0]!}"${more} }) { ${answer} }`;
    const status = (wanted: string) => of('setReadingStatus', `, status: ${wanted}`);
    const data = await client.data(
      `mutation { a: ${status('READING')} b: ${of('markAsRead')} c: ${status('GIVEN_UP')} d: ${status('READ')} e: ${of('unmarkAsRead')} }`,
    );
    interface Answer {
      book: { viewerReading: { status: string | null } };
    }
    const found = Object.values<Answer>(data).map(({ book }) => book.viewerReading.status);
    expect(found).toEqual(['READING', 'READ', 'GIVEN_UP', 'READ', null]);
  });

  test('off the shelf is on no shelf: what was read stays, and what was begun again is forgotten', async () => {
    const client = await server.client().registerSomebody();
    const [, book] = books as [string, string];
    const reading = async () => (await client.data(`{ node(id: "${book}") { ... on Book { ${READING} } } }`)).node;
    const { userErrors } = await client.mutate('setReadingStatus', { bookId: book }, 'book { id }');
    expect([userErrors, await reading()]).toEqual([[], { viewerReading: null }]);

    await setStatus(client, book, 'READ');
    now += 1_000;
    await setStatus(client, book, 'READING', 40);
    now += 1_000;
    const off = await setStatus(client, book, null);
    const reads = [iso(now - 2_000)];
    const none = { status: null, progress: 0, since: iso(now), reads };
    expect(off.book.viewerReading).toMatchObject(none);
    now += 1_000;
    await setStatus(client, book, null);
    expect((await reading()).viewerReading).toMatchObject(none);
    expect((await shelf(client, null)('first: 5')).edges).toEqual([]);
    const { viewer } = await client.data('{ viewer { readBooks { edges { reads } } } }');
    expect(viewer.readBooks.edges).toEqual([{ reads }]);

    const again = await setStatus(client, book, 'READ');
    expect(again.book.viewerReading).toMatchObject({ status: 'READ', progress: 100, since: iso(now), reads });
  });

  test('can be put back on its shelf with the day of its beginning', async () => {
    const client = await server.client().registerSomebody();
    const [, , book] = books;
    const put = (input: object) => client.mutate('setReadingStatus', { bookId: book, ...input }, `book { ${READING} }`);
    const former = { status: 'READING', progress: 30, startedOn: '2026-05-06' };
    await put(former);
    await put({ status: 'READING', progress: 40 });
    now += 72_000_000;
    const off = await put({ status: null });
    expect(off.book.viewerReading).toMatchObject({ status: null, startedOn: '2026-05-06' });
    expect((await put({ ...former, progress: 40 })).book.viewerReading).toMatchObject({ ...former, progress: 40 });
    const corrected = await put({ status: 'READING', startedOn: '2026-05-07' });
    expect(corrected.book.viewerReading).toMatchObject({ progress: 40, startedOn: '2026-05-07' });
    const stopped = await put({ status: 'GIVEN_UP', startedOn: '2026-05-08' });
    expect(stopped.book.viewerReading).toMatchObject({ progress: 40, startedOn: '2026-05-08' });
    const repeated = await put({ status: 'GIVEN_UP', startedOn: '2026-05-08' });
    expect(repeated.book.viewerReading).toEqual(stopped.book.viewerReading);
  });

  test('after any changes, shelves, reads and lists match the model', async () => {
    const aStep = fc.record({
      book: fc.integer({ min: 0, max: 3 }),
      what: fc.constantFrom(...STATUSES, ...STATUSES, 'markAsRead', 'unmarkAsRead', 'takeOff', 'takeOff'),
      progress: fc.option(fc.integer({ min: 0, max: 100 })),
    });
    interface Model {
      status: Status | 'NONE';
      progress: number;
      since: number;
      reads: number[];
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, size) => {
          const client = await server.client().registerSomebody();
          const model = new Map<string, Model>();
          const begun = new Set<string>();
          const changes: [id: string, status: Status | null][] = [];
          for (const { book, what, progress } of steps) {
            now += 1_000;
            const id = books[book]!;
            const known: Model = model.get(id) ?? { status: 'NONE', progress: 0, since: 0, reads: [] };
            const next = (status: Status | 'NONE', percent: number) => ({
              ...known,
              status,
              progress: percent,
              since: now,
            });
            if (what === 'markAsRead') {
              await client.mutate('markAsRead', { bookId: id }, 'book { id }');
              if (known.reads.length > 0) continue;
              begun.delete(id);
              model.set(id, { ...(known.status === 'READ' ? known : next('READ', 100)), reads: [now] });
            } else if (what === 'unmarkAsRead') {
              await client.mutate('unmarkAsRead', { bookId: id }, 'book { id }');
              if (known.reads.length === 0) continue;
              model.set(id, { ...(known.status === 'READ' ? next('NONE', 0) : known), reads: [] });
            } else if (what === 'takeOff') {
              expect((await setStatus(client, id, null)).userErrors).toEqual([]);
              if (known.status === 'NONE') continue;
              begun.delete(id);
              model.set(id, next('NONE', 0));
              changes.push([id, null]);
            } else {
              const given = what === 'READ' || what === 'WANT_TO_READ' ? undefined : (progress ?? undefined);
              expect((await setStatus(client, id, what, given)).userErrors).toEqual([]);
              if (known.status === what && (given === undefined || given === known.progress)) continue;
              const isUnderWay = (status: string) => status === 'READING' || status === 'GIVEN_UP';
              const kept = isUnderWay(what) && isUnderWay(known.status) ? known.progress : 0;
              const percent = what === 'READ' ? 100 : (given ?? kept);
              if (what === 'READING') begun.add(id);
              if (what !== 'READ') changes.push([id, what]);
              const isRead = what === 'READ' && (known.reads.length === 0 || begun.has(id));
              if (what === 'READ') begun.delete(id);
              model.set(id, { ...next(what, percent), reads: isRead ? [...known.reads, now] : known.reads });
            }
          }
          for (const status of STATUSES) {
            const expected = [...model]
              .filter(([, each]) => each.status === status)
              .sort(([, one], [, other]) => other.since - one.since);
            const edges = await client.allPages(size, 'forward', shelf(client, status));
            expect(edges.map((edge) => [edge.node.id, edge.since, edge.progress])).toEqual(
              expected.map(([id, { since, progress }]) => [id, iso(since), progress]),
            );
          }
          const onAnyShelf = [...model]
            .filter(([, each]) => each.status !== 'NONE')
            .sort(([, one], [, other]) => other.since - one.since);
          for (const direction of ['forward', 'backward'] as const) {
            const edges = await client.allPages(size, direction, shelf(client, null));
            expect(edges.map((edge) => [edge.node.id, edge.status, edge.since])).toEqual(
              onAnyShelf.map(([id, { status, since }]) => [id, status, iso(since)]),
            );
          }
          const { viewer } = await client.data(
            `{ viewer { readBooks(orderBy: READ_AT) { edges { reads node { id } } }
              actions(kinds: [STATUS_CHANGED], orderBy: OLDEST, first: 100) { nodes { status book { id } } } } }`,
          );
          expect(viewer.actions.nodes).toEqual(changes.map(([id, status]) => ({ status, book: { id } })));
          const read = [...model]
            .filter(([, { reads }]) => reads.length > 0)
            .sort(([, one], [, other]) => other.reads.at(-1)! - one.reads.at(-1)!);
          expect(viewer.readBooks.edges).toEqual(
            read.map(([id, { reads }]) => ({ node: { id }, reads: reads.toReversed().map(iso) })),
          );
        },
      ),
      { numRuns: runs(12) },
    );
  });

  test.each([
    [{ status: 'READING', progress: 101 }, 'progress', 'INVALID_INPUT'],
    [{ status: 'READING', progress: -1 }, 'progress', 'INVALID_INPUT'],
    [{ status: 'READ', progress: 50 }, 'progress', 'INVALID_INPUT'],
    [{ status: 'WANT_TO_READ', progress: 1 }, 'progress', 'INVALID_INPUT'],
    [{ status: null, progress: 1 }, 'progress', 'INVALID_INPUT'],
    [{ status: 'WANT_TO_READ', startedOn: '2026-01-01' }, 'startedOn', 'INVALID_INPUT'],
    [{ status: 'READING', startedOn: '2099-01-01' }, 'startedOn', 'INVALID_INPUT'],
    [{ status: 'READ', bookId: 'x' }, 'bookId', 'INVALID_INPUT'],
    [{ status: 'READ', bookId: Buffer.from('Book:9790000000001').toString('base64url') }, 'bookId', 'NOT_FOUND'],
  ])('%j is refused with its name', async (input, field, code) => {
    const client = await server.client().registerSomebody();
    const answer = await client.mutate('setReadingStatus', { bookId: books[0], ...input }, 'book { id } viewer { id }');
    expect(answer).toMatchObject({ book: null, viewer: null, userErrors: [{ code, path: ['input', field] }] });
    expect((await shelf(client, input.status)('first: 5')).edges).toEqual([]);
  });
});
