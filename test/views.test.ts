import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';

const DAY = 86_400_000;
let server: TestServer;
let now: number;
let books: string[];

beforeAll(async () => {
  now = Date.UTC(2026, 5, 1, 12);
  server = await startServer(await sharedKeyspace({ SESSION_IDLE_DAYS: '400', SESSION_DAYS: '400' }), {
    clock: () => new Date(now),
  });
  books = await ownBooks(server.app, 130);
});

const view = (client: Client, bookId: string) => client.mutate('recordView', { bookId }, 'book { id } viewer { id }');
const recentlyViewed = (client: Client) => (args: string) =>
  client
    .data(`{ viewer { recentlyViewed(${args}) { edges { viewedAt cursor node { id } } ${PAGE_INFO} } } }`)
    .then((data) => data.viewer.recentlyViewed);

/** Advances the clock, and refreshes the client's token. */
async function waitFor(client: Client, ms: number): Promise<void> {
  now += ms;
  const { refreshToken } = client;
  client.token = undefined;
  client.useTokens(await client.mutate('refreshTokens', { refreshToken }, 'accessToken refreshToken viewer { id }'));
}

describe('recentlyViewed', () => {
  test('has each book once, newest view first, from the last 30 days, at most 100', async () => {
    const aView = fc.record({ book: fc.integer({ min: 0, max: 12 }), hours: fc.integer({ min: 1, max: 100 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(aView, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 15 }),
        fc.constantFrom('forward' as const, 'backward' as const),
        async (views, size, direction) => {
          const client = await server.client().registerSomebody();
          let model: { id: string; at: number }[] = [];
          for (const { book, hours } of views) {
            await waitFor(client, hours * 3_600_000);
            const id = books[book]!;
            expect((await view(client, id)).book.id).toBe(id);
            model = [{ id, at: now }, ...model.filter((each) => each.id !== id)];
          }
          const expected = model.filter(({ at }) => at > now - 30 * DAY);
          const edges = await client.allPages(size, direction, recentlyViewed(client));
          expect(edges.map((edge) => [edge.node.id, edge.viewedAt])).toEqual(
            expected.map(({ id, at }) => [id, new Date(at).toISOString()]),
          );
        },
      ),
      { numRuns: runs(8, 2) },
    );
    const client = await server.client().registerSomebody();
    for (const id of books) {
      now += 1_000;
      await view(client, id);
    }
    const edges = await client.allPages(30, 'forward', recentlyViewed(client));
    expect(edges.map((edge) => edge.node.id as string)).toEqual(books.slice(-100).toReversed());
    await waitFor(client, 30 * DAY);
    expect((await recentlyViewed(client)('first: 5')).edges).toEqual([]);
  });

  test('keeps all of many simultaneous views', async () => {
    const client = await server.client().registerSomebody();
    await Promise.all(books.slice(0, 20).map((id) => view(client, id)));
    const { edges } = await recentlyViewed(client)('first: 100');
    expect(new Set(edges.map((edge: { node: { id: string } }) => edge.node.id))).toEqual(new Set(books.slice(0, 20)));
  });

  test('is read without a tombstone after many looks at two books', async () => {
    const client = await server.client().registerSomebody();
    for (let look = 0; look < runs(300, 60); look++) {
      now += 1_000;
      await view(client, books[look % 2]!);
    }
    const userId = keyOf(client.viewerId);
    const { info } = await server.app.cassandra.client.execute(
      'SELECT views FROM recently_viewed_by_user WHERE user_id = ?',
      [userId],
      { prepare: true, traceQuery: true },
    );
    const { client: cassandra } = server.app.cassandra;
    const trace = await new Promise<{ events: { activity: string }[] }>((resolve, reject) => {
      cassandra.metadata.getTrace(info.traceId, (error: Error | null, found: unknown) => {
        if (error) reject(error);
        else resolve(found as { events: { activity: string }[] });
      });
    });
    const read = trace.events.map(({ activity }) => activity).filter((activity) => activity.includes('tombstone'));
    expect(read).toEqual(['Read 1 live rows and 0 tombstone cells']);
  });

  test('is shown only to the viewer, and has only books', async () => {
    const [client, other] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
    await view(client, books[0]!);
    const { node } = await other.data(
      `{ node(id: "${client.viewerId}") { ... on User { recentlyViewed { edges { cursor } } } } }`,
    );
    expect(node.recentlyViewed).toBeNull();
    const none = Buffer.from('Book:9790000000001').toString('base64url');
    expect((await view(client, none)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'bookId'] }]);
    expect((await view(client, client.viewerId)).userErrors).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(
      await server.client().errorCode(`mutation { recordView(input: { bookId: "${books[0]!}" }) { book { id } } }`),
    ).toBe('UNAUTHENTICATED');
    expect((await recentlyViewed(client)('first: 5')).edges).toHaveLength(1);
  });
});
