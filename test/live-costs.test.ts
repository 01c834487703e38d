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
  // The clocks stand still, so that a slow machine neither misses changes nor forgets them.
  const now = new Date();
  const config = await sharedKeyspace({ CLOCK_SKEW_MAX_MS: '4000', SHOWN_AGE_MAX_MS: '1000' });
  server = await startServer(config, { clock: () => now });
});

/** Starts a server whose statements are counted. */
async function countingServer() {
  const statements: string[] = [];
  const cassandra = intercepted(server.app.cassandra, ({ cql, send }) => {
    statements.push(cql);
    return send();
  });
  const app = { ...server.app, cassandra, monotonicNow: () => 0 };
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

test('a feed is read when something that it depends on changes, and at no other time', async () => {
  const { url, look } = await countingServer();
  const [book = '', second = ''] = await ownBooks(server.app, 2);
  const somebody = () => server.client().registerSomebody();
  const [viewer, newcomer, reader, stranger] = await Promise.all([somebody(), somebody(), somebody(), somebody()]);
  await viewer.mutate('follow', { id: reader.viewerId }, 'changed');
  await reader.like(book);
  await stranger.like(book);
  // The first act of a month is announced as such.
  await viewer.like(second);
  await look();
  expect(await look()).toBe(0);

  const [subscriber, other] = await Promise.all(
    [viewer, newcomer].map(({ token }) =>
      Subscriber.begin(Object.assign(new Client(url), { token }), 'subscription { feedChanged { cursors } }'),
    ),
  );
  const lengthOf = async (of = subscriber) => (await of?.next())?.data.feedChanged.cursors.length as number;
  expect([await lengthOf(), await lengthOf(other)]).toEqual([1, 0]);
  // Announcements of the last half minute are looked at four times now, and next at the 16th time.
  for (let times = 0; times < 8; times++) await look();

  await stranger.like(second);
  await stranger.mutate('rateBook', { bookId: book, rating: 4 }, 'changed');
  expect(await look()).toBe(0);
  await reader.like(second);
  expect(await look()).toBeGreaterThan(0);
  expect(await lengthOf()).toBe(2);
  await reader.mutate('createList', { name: 'Another', audience: 'EVERYONE' }, 'list { id }');
  expect(await look()).toBe(0);
  // This is for the reader alone, so only the reader is read.
  await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
  expect(await look()).toBe(1);
  // Nobody's own acts are in their feed.
  await viewer.like(book);
  expect(await look()).toBe(0);
  await newcomer.mutate('follow', { id: stranger.viewerId }, 'changed');
  await look();
  expect(await lengthOf(other)).toBe(2);

  for (const each of [subscriber, other]) each?.close();
  await expect.poll(look).toBe(0);
  await reader.unlike(second);
  expect(await look()).toBe(0);
});

test('each change of an audience, a block or a follow is told at once, also soon after another one', async () => {
  const { url, look } = await countingServer();
  const [book = ''] = await ownBooks(server.app, 1);
  const somebody = () => server.client().registerSomebody();
  const [viewer, reader] = await Promise.all([somebody(), somebody()]);
  await reader.like(book);
  const { token } = viewer;
  const subscriber = await Subscriber.begin(
    Object.assign(new Client(url), { token }),
    'subscription { feedChanged { cursors } }',
  );
  onTestFinished(() => {
    subscriber.close();
  });
  const lengthOf = async () => (await subscriber.next())?.data.feedChanged.cursors.length as number;
  await look();
  expect(await lengthOf()).toBe(0);

  const [by, of] = [{ id: reader.viewerId }, { id: viewer.viewerId }];
  const show = (likes: string) => reader.mutate('updatePrivacy', { likes }, 'viewer { id }');
  const lengths: number[] = [];
  for (const change of [
    () => viewer.mutate('follow', by, 'changed'),
    () => viewer.mutate('unfollow', by, 'changed'),
    () => viewer.mutate('follow', by, 'changed'),
    () => show('ONLY_ME'),
    () => show('EVERYONE'),
    () => show('ONLY_ME'),
    () => show('FOLLOWERS'),
    () => reader.mutate('block', of, 'changed'),
    () => reader.mutate('unblock', of, 'changed').then(() => viewer.mutate('follow', by, 'changed')),
    () => viewer.mutate('block', by, 'changed'),
  ]) {
    await change();
    await look();
    lengths.push(await lengthOf());
    // Announcements are looked at the first, second, fourth, eighth and sixteenth time.
    for (let times = 0; times < 4; times++) await look();
  }
  expect(lengths).toEqual([1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
});
