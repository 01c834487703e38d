import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sortKey } from '../src/text/sorting.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { storedIdOf } from './support/ids.ts';
import { untilImported } from './support/library-imports.ts';

let server: TestServer;
let books: { id: string; isbn: string; title: string; authors: string[] }[];

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  await importSample(server.app, 10);
  const { nodes } = await server
    .client()
    .data('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { id isbn title authors } } }', {
      ids: await bookIds(server),
    });
  books = nodes as typeof books;
});

const mark = (reader: Client, bookId: string, readAt?: string) =>
  reader.mutate('markAsRead', { bookId, readAt }, 'book { id } viewer { id }');
const unmark = (reader: Client, bookId: string) =>
  reader.mutate('unmarkAsRead', { bookId }, 'book { id } viewer { id }');
const readBooks = (reader: Client, orderBy: 'TITLE' | 'READ_AT') => (args: string) =>
  reader
    .data(
      `{ node(id: "${reader.viewerId}") { ... on User { readBooks(orderBy: ${orderBy}, ${args}) { readerFullName edges { readAt reads cursor node { id title } } ${PAGE_INFO} } } } }`,
    )
    .then((data) => data.node.readBooks);
const actions =
  (reader: Client, filter = '') =>
  (args: string) =>
    reader
      .data(
        `{ viewer { actions(${filter} ${args}) { edges { at cursor node { kind at book { id } likeable { id } } } ${PAGE_INFO} } } }`,
      )
      .then((data) => data.viewer.actions);

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

describe('the books that a reader has read', () => {
  test('have one edge each, at their newest reading, and are removed from the list when it is taken back', async () => {
    const reader = await server.client().registerSomebody('Ann');
    const { id, title } = books[0]!;
    expect(await mark(reader, id, '2020-05-05T10:00:00+02:00')).toMatchObject({ book: { id }, userErrors: [] });
    await mark(reader, id, '2024-01-01T00:00:00Z');
    await mark(reader, id, '2024-01-01T00:00:00Z');
    await mark(reader, id);
    const reads = ['2024-01-01T00:00:00.000Z', '2020-05-05T08:00:00.000Z'];
    for (const orderBy of ['TITLE', 'READ_AT'] as const) {
      const page = await readBooks(reader, orderBy)('first: 5');
      expect(page.edges).toMatchObject([{ readAt: reads[0], reads, node: { id, title } }]);
      expect(page.readerFullName).toBe('Ann');
    }
    await unmark(reader, id);
    await unmark(reader, id);
    for (const orderBy of ['TITLE', 'READ_AT'] as const) {
      expect(await readBooks(reader, orderBy)('first: 5')).toMatchObject({ edges: [], readerFullName: 'Ann' });
    }
    await mark(reader, id, '2024-01-01T00:00:00Z');
    expect((await readBooks(reader, 'READ_AT')('first: 5')).edges).toMatchObject([{ reads: [reads[0]] }]);
    const kinds = (await actions(reader, 'kinds: [READ, UNMARKED_READ],')('first: 9')).edges.map(
      ({ node }: { node: { kind: string } }) => node.kind,
    );
    expect(kinds).toEqual(['UNMARKED_READ', 'READ', 'READ']);
  });

  test('are once in the activity log when taken back, even if the book is removed', async () => {
    const reader = await server.client().registerSomebody();
    const bookId = books[0]!.id;
    await mark(reader, bookId);
    await unmark(reader, bookId);
    await reader.mutate('setReadingStatus', { bookId, status: 'READING' }, 'book { id }');
    await reader.mutate('setReadingStatus', { bookId, status: 'GIVEN_UP' }, 'book { id }');
    expect((await actions(reader, 'kinds: [UNMARKED_READ],')('first: 9')).edges).toHaveLength(1);
  });

  test('are read now, once, if no moment is given', async () => {
    const reader = await server.client().registerSomebody();
    await Promise.all(Array.from({ length: 8 }, () => mark(reader, books[0]!.id)));
    const [edge] = (await readBooks(reader, 'TITLE')('first: 5')).edges;
    expect(edge.reads).toHaveLength(1);
    expect(Math.abs(Date.parse(edge.readAt) - Date.now())).toBeLessThan(60_000);
  });

  test('match a plain list under random changes, in both orders, every page size, from either end, and in the activity log', async () => {
    const moment = fc
      .integer({ min: 0, max: 40 })
      .map((days) => new Date(Date.UTC(2024, 10, 1) + days * 86_400_000).toISOString());
    const step = fc.record({
      book: fc.nat(7),
      readAt: fc.option(moment, { nil: undefined, freq: 4 }),
      remove: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const reader = await server.client().registerSomebody();
        const model = new Map<string, Set<string>>();
        const log = new Set<string>();
        for (const { book, readAt = '2024-11-11T11:11:11.111Z', remove } of steps) {
          const { id } = books[book]!;
          if (remove === 0) {
            await unmark(reader, id);
            model.delete(id);
          } else {
            await mark(reader, id, readAt);
            model.set(id, (model.get(id) ?? new Set()).add(readAt));
            log.add(`${readAt} ${id}`);
          }
        }
        const expected = books
          .filter(({ id }) => model.has(id))
          .map((book) => ({ ...book, reads: [...(model.get(book.id) ?? [])].toSorted().toReversed() }));
        const byTitle = expected.toSorted(
          (one, other) =>
            byBytes(sortKey(one.title), sortKey(other.title)) ||
            byBytes(sortKey(one.authors[0]!), sortKey(other.authors[0]!)),
        );
        const keyOf = ({ id }: { id: string }) => storedIdOf(id);
        const byReadAt = expected.toSorted(
          (one, other) => byBytes(other.reads[0]!, one.reads[0]!) || byBytes(keyOf(other), keyOf(one)),
        );
        const read = Object.entries({ TITLE: byTitle, READ_AT: byReadAt }) as ['TITLE' | 'READ_AT', typeof expected][];
        for (const [orderBy, list] of read) {
          for (const [size, direction] of [
            [1, 'forward'],
            [7, 'forward'],
            [50, 'forward'],
            [1, 'backward'],
            [7, 'backward'],
            [50, 'backward'],
          ] as const) {
            const pages = await reader.allPages(size, direction, readBooks(reader, orderBy));
            expect(pages.map(({ node, reads }) => ({ id: node.id, reads }))).toEqual(
              list.map(({ id, reads }) => ({ id, reads })),
            );
          }
        }
        const read2 = await reader.allPages(7, 'forward', actions(reader, 'kinds: [READ],'));
        expect(new Set(read2.map(({ at, node }) => `${at} ${node.book.id}`))).toEqual(log);
      }),
      { numRuns: runs(5) },
    );
  });

  test.each([
    ['an unknown book', { bookId: Buffer.from('Book:9780000000002').toString('base64url') }, 'NOT_FOUND', 'bookId'],
    ['a malformed id', { bookId: 'nonsense' }, 'INVALID_INPUT', 'bookId'],
    ['a moment in the future', { readAt: '2999-01-01T00:00:00Z' }, 'INVALID_INPUT', 'readAt'],
    ['a moment before there were books to read', { readAt: '1899-12-31T23:59:59Z' }, 'INVALID_INPUT', 'readAt'],
  ])('%s is refused, and nothing is written', async (_what, input, code, field) => {
    const reader = await server.client().registerSomebody();
    const refused = await reader.mutate('markAsRead', { bookId: books[0]!.id, ...input }, 'book { id } viewer { id }');
    expect(refused).toMatchObject({ book: null, viewer: null, userErrors: [{ code, path: ['input', field] }] });
    expect((await readBooks(reader, 'TITLE')('first: 5')).edges).toEqual([]);
  });

  test('are read at most 100 times each', async () => {
    const reader = await server.client().registerSomebody();
    // A library brings most of them.
    const days = Array.from({ length: 98 }, (_, day) =>
      new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '/'),
    );
    const { isbn, title, authors } = books[0]!;
    const line = `"${title}","${authors[0]!}",${isbn},read,read,"${days.join(', ')}"`;
    const file = `Title,Author,ISBN13,Bookshelves,Exclusive Shelf,Dates Read\n${line}\n`;
    expect(await untilImported(reader, Buffer.from(file))).toMatchObject({ matched: 1 });
    for (const readAt of ['2020-12-30T00:00:00Z', '2020-12-31T00:00:00Z'])
      expect(await mark(reader, books[0]!.id, readAt)).toMatchObject({ userErrors: [] });
    expect((await mark(reader, books[0]!.id, '2021-01-01T00:00:00Z')).userErrors[0]).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['input', 'readAt'],
    });
    expect((await readBooks(reader, 'TITLE')('first: 5')).edges[0].reads).toHaveLength(100);
  });

  test('need a reader', async () => {
    const query = `mutation { markAsRead(input: { bookId: "${books[0]!.id}" }) { book { id } } }`;
    expect(await server.client().errorCode(query)).toBe('UNAUTHENTICATED');
  });
});

describe('actions', () => {
  test('across months match the model for all ranges, kinds, orders and page sizes, from either end', async () => {
    const reader = await server.client().registerSomebody();
    // The moments include the borders of months, and a year without readings.
    const moments = [
      '2022-12-31T23:59:59.999Z',
      '2023-01-01T00:00:00.000Z',
      '2023-01-31T23:59:59.999Z',
      '2023-02-01T00:00:00.000Z',
      '2024-02-29T12:00:00.000Z',
    ];
    for (const [index, readAt] of moments.entries()) await mark(reader, books[index]!.id, readAt);
    const walked = async (filter: string, size: number, direction: 'forward' | 'backward') =>
      (await reader.allPages(size, direction, actions(reader, filter))).map(({ at }) => at as string);
    const kinds = 'kinds: [READ]';
    for (const size of [1, 7, 50]) {
      for (const direction of ['forward', 'backward'] as const) {
        expect(await walked(`${kinds},`, size, direction)).toEqual(moments.toReversed());
        expect(await walked(`${kinds}, orderBy: OLDEST,`, size, direction)).toEqual(moments);
        expect(await walked(`${kinds}, from: "${moments[1]}", to: "${moments[3]}",`, size, direction)).toEqual(
          moments.slice(1, 3).toReversed(),
        );
        expect(await walked(`orderBy: OLDEST, from: "${moments[1]}", to: "${moments[3]}",`, size, direction)).toEqual(
          moments.slice(1, 3),
        );
        expect(await walked(`to: "2023-01-01T00:00:00Z",`, size, direction)).toEqual([moments[0]]);
      }
    }
    const all = await reader.allPages(50, 'forward', actions(reader));
    expect(all.map(({ node }) => node.kind)).toEqual(['REGISTERED', 'READ', 'READ', 'READ', 'READ', 'READ']);
    expect(await walked('from: "2023-06-01T00:00:00Z", to: "2023-06-01T00:00:00Z",', 5, 'forward')).toEqual([]);
    expect(await walked('kinds: [],', 5, 'forward')).toEqual([]);
  });

  test('a range that ends before it begins is refused', async () => {
    const reader = await server.client().registerSomebody();
    const query = '{ viewer { actions(from: "2024-02-01T00:00:00Z", to: "2024-01-01T00:00:00Z") { edges { at } } } }';
    expect(await reader.errorCode(query)).toBe('BAD_USER_INPUT');
  });
});
