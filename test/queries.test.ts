import { beforeAll, describe, expect, test } from 'vitest';
import { exampleQueries } from '../src/http/graphiql.ts';
import { like } from '../src/likes/operations.ts';
import { startServer, ownKeyspace, type TestServer } from './support/app.ts';
import { importSample } from './support/books.ts';
import type { Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { as, makeReaders } from './support/likers.ts';
import { statementsOf } from '../tools/support/statements.ts';

/** The number of statements of each example query, from the server's own metrics. */

const ROWS = 30;
let server: TestServer;
let reader: Client;
let examples: { name: string; query: string }[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, runs(1_000, 200));
  examples = await exampleQueries();
  const found = await server.app.cassandra.client.execute('SELECT book_id FROM books LIMIT 29');
  const ids = ['9780439023481', ...found.rows.map((row) => row['book_id'] as string)];
  const books = ids.map((id) => Buffer.from(`Book:${id}`).toString('base64url'));
  // This is the reader of the examples.
  reader = server.client();
  const input = { email: 'reader@example.com', password: 'a good book', fullName: 'Robin Reader' };
  reader.token = (await reader.mutate('register', input, 'accessToken')).accessToken;
  for (const [index, bookId] of books.entries()) {
    await reader.like(bookId);
    // The readings are on consecutive days of two months.
    await reader.mutate(
      'markAsRead',
      { bookId, readAt: new Date(Date.UTC(2026, 8, 15 + index)).toISOString() },
      'book { id }',
    );
  }
  for (const userId of await makeReaders(server.app, ROWS)) await like(as(server.app, userId), { id: books[0]! });
});

const total = (statements: Map<string, number>) => [...statements.values()].reduce((sum, count) => sum + count, 0);
const shown = (statements: Map<string, number>) =>
  [...statements].map(([label, count]) => `${count} × ${label}`).join(', ');

describe('the example queries', () => {
  test('run unchanged', async () => {
    for (const { name, query } of examples) {
      const data = await reader.data(query);
      expect(JSON.stringify(data), name).not.toMatch(/"userErrors":\[\{/);
    }
  });

  test('need the same number of statements for a page of 30 and a page of 2', async () => {
    const lines: string[] = [];
    for (const { name, query } of examples) {
      const ofSize = async (size: number) => {
        const statements = await statementsOf(server, () => reader.data(query.replace('first: 20', `first: ${size}`)));
        return statements;
      };
      const [small, large] = [await ofSize(2), await ofSize(ROWS)];
      lines.push(`${name}: ${total(large)} statements: ${shown(large)}`);
      // Rows of other months are in other partitions, so each month must be read.
      if (name === '08-what-i-did') expect(total(large) - total(small)).toBeLessThanOrEqual(2);
      else expect(large, name).toEqual(small);
    }
    console.log(lines.join('\n'));
  });

  test('list the likers of a book, with names, by one statement for a page of any size', async () => {
    const query = (size: number) =>
      `{ book(isbn: "9780439023481") { likers(first: ${size}) { edges { likedAt node { id fullName } } } } }`;
    for (const size of [1, 7, 30]) {
      const statements = await statementsOf(server, () => server.client().data(query(size)));
      expect(Object.fromEntries(statements)).toEqual({
        'SELECT books': 1,
        'SELECT like_counts': 1,
        'SELECT user_by_item': 1,
      });
    }
  });

  test('read a page of likes with counts and flags with one statement for each table', async () => {
    const query =
      '{ viewer { likes(first: 30) { edges { node { likeCount viewerHasLiked viewerLikedAt ... on Book { title authors } } } } } }';
    const statements = await statementsOf(server, () => reader.data(query));
    expect(Object.fromEntries(statements)).toEqual({
      'SELECT users_by_id': 1,
      'SELECT jobs': 1,
      'SELECT item_by_user': 1,
      'SELECT like_counts': 1,
      'SELECT likes_by_user': 1,
    });
  });

  test('also read pages that arrive at different moments with one statement for each table', async () => {
    const line = 'title likeCount viewerHasLiked';
    const query = `{
      viewer { likes(first: 20) { nodes { ... on Book { ${line} } } } recentlyViewed(first: 20) { nodes { ${line} } } }
      books(genre: "Fantasy", first: 20) { nodes { ${line} } }
    }`;
    const statements = await statementsOf(server, async () => {
      const { viewer, books } = await reader.data(query);
      expect([viewer.likes.nodes.length, viewer.recentlyViewed.nodes.length, books.nodes.length]).toEqual([20, 0, 20]);
    });
    expect(Object.fromEntries(statements)).toMatchObject({
      'SELECT item_by_user': 1,
      'SELECT recently_viewed_by_user': 1,
      'SELECT books_by_genre': 1,
      'SELECT books': 1,
      'SELECT like_counts': 1,
      'SELECT likes_by_user': 1,
    });
  });
});

describe('likes of one thing', () => {
  const byOthers = async (count: number, work: (likes: (() => Promise<unknown>)[]) => Promise<unknown>) => {
    const id = Buffer.from('Book:9780439023481').toString('base64url');
    const readers = await Promise.all(Array.from({ length: count }, () => server.client().registerSomebody()));
    return statementsOf(server, () => work(readers.map((other) => () => other.like(id))));
  };

  test('that arrive one after the other read no shard', async () => {
    const count = runs(20, 5);
    const statements = await byOthers(count, async (likes) => {
      for (const each of likes) await each();
    });
    expect([...statements.keys()]).not.toContain('SELECT user_by_item');
    expect(Object.fromEntries(statements)).toMatchObject({
      'INSERT transaction_log': count,
      'UPDATE likes_by_user': count,
    });
  });

  test('that arrive together take at most five statements each', async () => {
    const count = 20;
    const statements = await byOthers(count, (likes) => Promise.all(likes.map((each) => each())));
    expect(total(statements)).toBeLessThanOrEqual(5 * count);
  });
});
