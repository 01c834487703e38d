import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readChanges } from '../src/changes/operations.ts';
import { createServer } from '../src/http/server.ts';
import { Subscriber } from '../tools/support/subscriber.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { Client } from './support/client.ts';
import { intercepted } from './support/intercept.ts';

/** The statements that a server sends for its subscribers. The test reads the list of changes. */

const TALLIES = 'subscription ($ids: [ID!]!) { likeTallies(ids: $ids) { changes { id likeTally { count } } } }';

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace({ CLOCK_SKEW_MAX_MS: '4000', SHOWN_AGE_MAX_MS: '1000' }));
});

/** Starts a server whose statements are counted. */
async function countingServer() {
  const statements: string[] = [];
  const cassandra = intercepted(server.app.cassandra, ({ cql, send }) => {
    statements.push(cql);
    return send();
  });
  const app = { ...server.app, cassandra };
  const counting = await createServer(app);
  const url = await counting.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => counting.close());
  /** Reads the list of changes once, and returns the number of further statements. */
  const look = async () => {
    await readChanges(app);
    // The things that the list names are read after it, within a few turns.
    const before = statements.length;
    for (let sent = -1; sent < statements.length;) {
      sent = statements.length;
      await server.client().data('{ __typename }');
    }
    return statements.length - before;
  };
  return { url, look };
}

test('subscribers cost statements only for what they watch and what has changed, however many they are', async () => {
  const { url, look } = await countingServer();
  const [watched = '', unwatched = ''] = await ownBooks(server.app, 2);
  const reader = await server.client().registerSomebody();
  await look();
  await reader.like(watched);
  expect(await look()).toBe(0);

  const subscribers = await Promise.all(
    Array.from({ length: 20 }, () => Subscriber.begin(new Client(url), TALLIES, { ids: [watched] })),
  );
  for (const subscriber of subscribers) await subscriber.next();
  const [book = ''] = await ownBooks(server.app, 1);
  const quiet = await Subscriber.begin(new Client(url), TALLIES, { ids: [book] });
  await quiet.next();
  await reader.like(unwatched);
  await reader.unlike(watched);
  // The counts of the shards, the shards, and the rows of the books.
  expect(await look()).toBeLessThanOrEqual(3);
  for (const subscriber of subscribers)
    expect((await subscriber.next())?.data.likeTallies.changes[0].likeTally).toEqual({ count: 0 });

  for (const subscriber of [...subscribers, quiet]) subscriber.close();
  await expect.poll(look).toBe(0);
});
