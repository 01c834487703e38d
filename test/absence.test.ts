import { errors, types } from 'cassandra-driver';
import { beforeAll, describe, expect, test } from 'vitest';
import { login } from '../src/accounts/operations.ts';
import { transactionKinds } from '../src/app/workers.ts';
import type { Cassandra } from '../src/cassandra/statement.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { uuidOf } from '../src/graphql/ids.ts';
import { isSessionOpen } from '../src/sessions/liveness.ts';
import { finish } from '../src/transactions/operations.ts';
import { recordView } from '../src/views/operations.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

/**
 * A read that does not find an account or session does not prove that it was erased: only a
 * conditional write or a serial read does.
 */

let server: TestServer;
let books: string[];
let reader: Client;
let other: Client;
let followed: Client;
let itemId: string;
let sessionId: string;
const clicked = new Date(Date.now() - 1_000);

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  books = await ownBooks(server.app, 2);
  reader = await server.client().registerSomebody('Ann Lee');
  other = await server.client().registerSomebody('Bo');
  const bookId = books[0];
  await reader.like(books[0]!);
  await reader.mutate('markAsRead', { bookId }, 'book { id }');
  const copy = { bookId, price: { amount: '1', currency: 'EUR' }, condition: 'GOOD' };
  itemId = (await reader.mutate('listItem', copy, 'item { id }')).item.id;
  await reader.mutate('block', { id: other.viewerId }, 'changed');
  followed = await server.client().registerSomebody('Cy');
  await reader.mutate('follow', { id: followed.viewerId }, 'changed');
  await reader.mutate('report', { id: other.viewerId, reason: 'SPAM' }, '__typename');
  await reader.mutate('recordView', { bookId }, 'book { id }');
  sessionId = (await reader.mutate('startSession', {}, 'session { id }')).session.id;
  const clicks = [{ id: '00000000-0000-4000-8000-000000000001', at: new Date() }];
  expect((await reader.mutate('recordClicks', { sessionId, clicks }, 'recorded')).userErrors).toEqual([]);
});

/**
 * A connection to a data centre that lags. Plain reads do not find these rows; conditional writes
 * and serial reads do.
 * @param from the number of reads that still find them
 */
function lagging(table: string, { isSilent = false, from = 0 } = {}): Cassandra {
  let reads = 0;
  return intercepted(server.app.cassandra, async ({ cql, options, send }) => {
    if (!cql.startsWith('SELECT') || !cql.includes(`FROM ${table} `)) return send();
    if (options.consistency !== types.consistencies.serial) {
      if (reads++ < from) return send();
      return { rows: [], rowLength: 0 } as unknown as types.ResultSet;
    }
    if (isSilent) throw new errors.OperationTimedOutError('no answer');
    return send();
  });
}

/** Reads all data of the reader through the API. */
const everything = () =>
  reader.data(
    `query ($session: ID!, $book: ID!) {
      viewer {
        likes { edges { likedAt node { id } } }
        readBooks { edges { node { id } } }
        shelf(status: READ) { edges { node { id } } }
        listings { edges { node { id status seller { id } } } }
        blocked { edges { node { id } } }
        following { edges { node { id viewerFollows followers { nodes { id } } } } }
        recentlyViewed { edges { node { id } } }
        sessions { edges { node { id endedAt } } }
      }
      session: node(id: $session) { ... on Session { endedAt clickCount clicks { edges { cursor } } } }
      book: node(id: $book) { ... on Book { viewerHasLiked likeTally { count } likers { edges { node { id } } } copies { edges { node { id } } } } }
    }`,
    { session: sessionId, book: books[0] },
  );

/** The log entries of the reader's changes, by kind. */
const logged: Record<string, () => object> = {
  like: () => ({ userId: keyOf(reader.viewerId), likeableId: storedIdOf(books[0]!) }),
  reading: () => ({ userId: keyOf(reader.viewerId), bookId: keyOf(books[0]!) }),
  listing: () => ({ itemId: keyOf(itemId), sellerId: keyOf(reader.viewerId) }),
  follow: () => ({ userId: keyOf(reader.viewerId), followedId: keyOf(followed.viewerId) }),
  block: () => ({ userId: keyOf(reader.viewerId), otherId: keyOf(other.viewerId) }),
  report: () => {
    const [reporterId, subject] = [keyOf(reader.viewerId), storedIdOf(other.viewerId)];
    return { reportId: uuidOf(`report ${reporterId} ${subject}`), reporterId, subject };
  },
  session: () => ({ sessionId: keyOf(sessionId), login: null }),
  clicks: () => ({ sessionId: keyOf(sessionId), from: clicked, to: new Date() }),
};

/** Finishes a change as if its server had died. */
const recover = (cassandra: Cassandra, kind: string) => {
  const payload = JSON.stringify(logged[kind]?.());
  const entry = { transaction_id: uuidOf(kind), kind, payload, begun_at: new Date(0), request_id: '' };
  return finish({ ...server.app, cassandra }, transactionKinds, entry);
};

describe('recovery finishes the changes of a dead server, and nothing is lost', () => {
  const tables = () => server.rowsAbout([keyOf(reader.viewerId), keyOf(sessionId)]);
  let all: string[];
  beforeAll(async () => {
    all = await tables();
  });

  const lags: [string, string][] = Object.keys(logged).map((kind) => [kind, 'users_by_id']);
  test.each([...lags, ['clicks', 'sessions_by_id'] as const])('%s, when %s lags', async (kind, table) => {
    const before = await everything();
    expect(await recover(lagging(table), kind)).toBeUndefined();
    expect(await everything()).toEqual(before);
  });

  test.each(Object.keys(logged))('%s, when it is unknown if there is an account', async (kind) => {
    const before = await everything();
    const silent = lagging('users_by_id', { isSilent: true });
    await expect(recover(silent, kind)).rejects.toMatchObject({ outcome: 'unknown' });
    expect(await everything()).toEqual(before);
  });

  test('every table still has all of its rows', async () => {
    expect(await tables()).toEqual(all);
  });
});

test('a view of a book is recorded when the account is not found at first', async () => {
  const context = requestContext(server.app, { ...ANONYMOUS, viewerId: keyOf(reader.viewerId) });
  await recordView({ ...context, cassandra: lagging('users_by_id', { from: 1 }) }, { bookId: books[1]! });
  const { viewer } = await reader.data('{ viewer { recentlyViewed { edges { node { id } } } } }');
  expect(viewer.recentlyViewed.edges).toHaveLength(2);
});

test('a login and its token are valid although account and session are not found at first', async () => {
  const of = (table: string, from = 0) => ({ ...server.app, cassandra: lagging(table, { from }) });
  const context = requestContext(of('users_by_id', 1), ANONYMOUS);
  const { session, viewer } = await login(context, { email: reader.email, password: PASSWORD });
  const owner = { userId: viewer.id, sessionId: session.id };
  expect(await isSessionOpen(of('sessions_by_id'), owner, new Date())).toBe(true);
});
