import { beforeAll, describe, expect, test } from 'vitest';
import { ratingAudit } from '../src/ratings/audit.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { callersOf, LIBRARY, testInput, type Callers } from './support/input-errors.ts';

/** Readers rate books. */

let server: TestServer;
let callers: Callers;
let books: string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  callers = await callersOf(server);
  books = await ownBooks(server.app, 5);
});

const rate = async (reader: Client, bookId: string, stars: number | null) => {
  const { book, userErrors } = await reader.mutate('rateBook', { bookId, stars }, 'book { viewerRating { stars } }');
  expect(userErrors).toEqual([]);
  return book.viewerRating?.stars ?? null;
};

const ratedBy = (reader: Client, direction: 'forward' | 'backward' = 'forward') =>
  reader.allPages(2, direction, async (args) => {
    const edges = `edges { cursor stars ratedAt node { id viewerRating { stars ratedAt } } }`;
    return (await reader.data(`{ viewerRatings(${args}) { ${edges} ${PAGE_INFO} } }`)).viewerRatings;
  });

const idOf = ({ viewerId }: Client) => Buffer.from(viewerId, 'base64url').toString().replace('User:', '');

describe('ratings', () => {
  testInput(
    'rateBook',
    { who: 'reader', input: { bookId: LIBRARY, stars: 6 }, wrong: ['bookId', 'stars'] },
    () => callers,
  );

  test('a rating is changed, taken back and given again', async () => {
    const reader = await server.client().registerSomebody();
    for (const stars of [3, 3, 5, null, null, 1]) expect(await rate(reader, books[0]!, stars)).toBe(stars);
    expect(await ratedBy(reader)).toMatchObject([{ stars: 1, node: { id: books[0], viewerRating: { stars: 1 } } }]);
    expect((await server.client().data('{ viewerRatings { nodes { id } } }')).viewerRatings).toBeNull();
  });

  test('the list is read by pages, last rated book first, with the ratings themselves', async () => {
    const reader = await server.client().registerSomebody();
    for (const [index, id] of books.entries()) await rate(reader, id, index + 1);
    await rate(reader, books[0]!, 5);
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await ratedBy(reader, direction);
      expect(edges.map(({ node }) => node.id)).toEqual(books.toReversed());
      for (const { stars, ratedAt, node } of edges) expect(node.viewerRating).toEqual({ stars, ratedAt });
    }
  });

  test('the audit finds a lost row of the list, and one that is too many, and repairs both', async () => {
    const reader = await server.client().registerSomebody();
    await rate(reader, books[0]!, 4);
    expect(await audited(server.app, [ratingAudit])).toMatchObject({ drift: [] });

    const { client } = server.app.cassandra;
    await client.execute('DELETE FROM ratings_by_user_by_rated_at USING TIMESTAMP 1 WHERE user_id = ?', [idOf(reader)]);
    await client.execute(
      "INSERT INTO ratings_by_user_by_rated_at (user_id, rated_at, book_id, stars) VALUES (?, '2020-01-01', 'none', 1) USING TIMESTAMP 10",
      [idOf(reader)],
    );
    const { drift } = await audited(server.app, [ratingAudit], { repair: true });
    expect(drift.map(({ repaired }) => repaired)).toEqual([true, true]);
    expect(await audited(server.app, [ratingAudit])).toMatchObject({ drift: [] });
    expect(await ratedBy(reader)).toMatchObject([{ stars: 4, node: { id: books[0] } }]);
  });

  test('ratings are exported', async () => {
    const reader = await server.client().registerSomebody();
    await rate(reader, books[0]!, 2);
    const exported = (await (await reader.exportMyData()).json()) as Record<string, unknown>;
    expect(exported['ratings_by_user']).toMatchObject([{ stars: 2 }]);
  });

  test('ratings are deleted with the account', async () => {
    const reader = await server.client().registerSomebody();
    for (const id of books) await rate(reader, id, 2);
    const { userErrors } = await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(userErrors).toEqual([]);
    expect(await server.rowsAbout([idOf(reader)])).toEqual(['users_by_id']);
  });
});
