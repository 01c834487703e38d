import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listInMemory } from '../src/cassandra/paging.ts';
import { connection } from '../src/graphql/connections.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';

let server: TestServer;
let books: string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  books = await ownBooks(server.app, 5);
});

describe('the count of a list', () => {
  const ROWS = 'edges { cursor }';
  const COUNT = 'count { value isExact }';
  const countsOf = async (client: Client, user: string, lists: readonly string[]) => {
    const named = lists.map((list, index) => `list${String(index)}: ${list}`);
    const { node } = await client.data(`{ node(id: "${user}") { ... on User { ${named.join(' ')} } } }`);
    return lists.map((_list, index) => node[`list${String(index)}`]);
  };
  const exactly = (value: number) => ({ value, isExact: true });

  test('is the number of all rows of the list, for any page, kind, range and status', async () => {
    const reader = await server.client().registerSomebody();
    const items: string[] = [];
    for (const amount of ['3', '5', '7']) {
      const input = { bookId: books[0]!, price: { amount, currency: 'EUR' }, condition: 'GOOD' };
      items.push((await reader.mutate('listItem', input, 'item { id }')).item.id as string);
    }
    for (const id of [...books.slice(0, 4), items[0]!]) await reader.like(id);
    await reader.unlike(books[3]!);
    for (const bookId of books.slice(0, 3)) await reader.mutate('markAsRead', { bookId }, 'book { id }');
    await reader.mutate('setReadingStatus', { bookId: books[4]!, status: 'READING' }, 'book { id }');

    const lists = [
      `likes(first: 1) { ${COUNT} }`,
      `likes(first: 0) { ${COUNT} }`,
      `likes(last: 100) { ${COUNT} ${ROWS} }`,
      `likes(first: 1, of: ITEM) { ${COUNT} }`,
      `readBooks(first: 2) { ${COUNT} }`,
      `readBooks(orderBy: READ_AT) { ${COUNT} }`,
      `shelf(first: 2, status: READ) { ${COUNT} }`,
      `shelf(first: 2) { ${COUNT} }`,
      `shelf(status: GIVEN_UP) { ${COUNT} }`,
      `listings(first: 1) { ${COUNT} }`,
      `listings(first: 1, orderBy: PRICE, priceBetween: { max: "5" }) { ${COUNT} }`,
      `listings(first: 1, priceBetween: { max: "5" }) { ${COUNT} }`,
    ];
    const found = await countsOf(reader, reader.viewerId, lists);
    const [first] = (await reader.data(`{ viewer { likes(first: 1) { ${ROWS} } } }`)).viewer.likes.edges;
    const behind = await reader.data(`{ viewer { likes(first: 2, after: "${first.cursor}") { ${COUNT} ${ROWS} } } }`);
    expect(found.map(({ count }) => count)).toEqual([4, 4, 4, 1, 3, 3, 3, 4, 0, 3, 2, 2].map(exactly));
    expect(behind.viewer.likes).toMatchObject({ count: exactly(4), edges: [{}, {}] });
  });

  test('of the readers whom a reader blocks is exact', async () => {
    const [seller, other] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
    await other.mutate('block', { id: seller.viewerId }, 'changed');
    const blocked = 'blocked(first: 0) { totalCount }';
    expect(await countsOf(other, other.viewerId, [blocked])).toEqual([{ totalCount: 1 }]);
    await other.mutate('unblock', { id: seller.viewerId }, 'changed');
    expect(await countsOf(other, other.viewerId, [blocked])).toEqual([{ totalCount: 0 }]);
  });

  test.each(['query: "book"', 'query: "book 1"', 'query: "bok"', 'author: "Nobody"', ''])(
    'books(%s) is the number of its edges',
    async (search) => {
      const client = server.client();
      const page = (args: string) => `{ books(${[search, args].filter(Boolean).join(', ')}) { ${COUNT} ${ROWS} } }`;
      const whole = (await client.data(page('first: 100'))).books;
      const part = (await client.data(page('first: 1'))).books;
      if (whole.count.value <= 100) expect(whole.edges).toHaveLength(whole.count.value);
      expect(part.count).toEqual(whole.count);
    },
  );

  test('is exact up to 1,000, and is marked as inexact above', async () => {
    const aList = fc.record({ length: fc.integer({ min: 990, max: 1_010 }), size: fc.integer({ min: 0, max: 20 }) });
    await fc.assert(
      fc.asyncProperty(aList, async ({ length, size }) => {
        const { count } = await pageOf(length, size);
        expect(await count()).toEqual({ value: Math.min(length, 1_000), isExact: length <= 1_000 });
      }),
    );
  });

  test('ends when a filter leaves out nearly all rows', async () => {
    expect(await (await pageOf(4_900, 20, 500)).count()).toEqual(exactly(10));
    expect(await (await pageOf(90_000, 20, 500)).count()).toMatchObject({ isExact: false });
  });

  /** Reads a page of numbers from a list whose filter keeps every nth number. */
  const pageOf = (length: number, first: number, every = 1) => {
    const rows = Array.from({ length }, (_, index) => index);
    const list = {
      ...listInMemory(rows, (one, other) => one - other),
      name: 'numbers',
      descending: false,
      cursor: z.int(),
      filter: { keep: (row: number) => row % every === 0, rowsMin: 30 },
    };
    return connection({ first }, list, (row) => row);
  };
});
