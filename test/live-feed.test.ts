import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readChanges } from '../src/changes/operations.ts';
import { Subscriber } from '../tools/support/subscriber.ts';
import { registerAdministrator } from './support/accounts.ts';
import { startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { expectToNeedSession, startTwoServers } from './support/live.ts';

/** Changes of the viewer's feed, told to their devices. Two servers share a keyspace. */

const CHANGED = 'subscription { feedChanged { cursors } }';

let one: TestServer;
let other: TestServer;

beforeAll(async () => {
  [one, other] = await startTwoServers();
});

const somebody = (server = one) => server.client().registerSomebody();

/** Does a mutation as a reader, and expects that it is not refused. */
async function change(client: Client, mutation: string, input: Record<string, unknown>): Promise<void> {
  expect(await client.mutate(mutation, input, 'userErrors { message }')).toEqual({ userErrors: [] });
}

const follow = (viewer: Client, { viewerId: id }: Client) => change(viewer, 'follow', { id });

async function review(client: Client, bookId: string): Promise<string> {
  const written = await client.mutate('writeReview', { bookId, text: 'Good.', hasSpoilers: false }, 'review { id }');
  return written.review.id as string;
}

/** Returns the cursors of the first page of a reader's feed. */
async function feedNow(client: Client): Promise<string[]> {
  const { feed } = await client.data('{ feed { edges { cursor } } }');
  return feed.edges.map(({ cursor }: { cursor: string }) => cursor);
}

/** A subscriber to their feed. */
class FeedWatcher {
  readonly client: Client;
  readonly subscriber: Subscriber;
  #last: string[] | undefined;
  #coming: Promise<unknown> | undefined;

  private constructor(client: Client, subscriber: Subscriber) {
    this.client = client;
    this.subscriber = subscriber;
  }

  static async of(client: Client): Promise<FeedWatcher> {
    const subscriber = await Subscriber.begin(client, CHANGED);
    onTestFinished(() => {
      subscriber.close();
    });
    return new FeedWatcher(client, subscriber);
  }

  async next(): Promise<string[]> {
    const event = await this.subscriber.next();
    expect(event?.errors).toBe(undefined);
    this.#last = event?.data.feedChanged.cursors as string[];
    return this.#last;
  }

  /** Takes events until the last one has what the feed has, all of whose changes were answered. */
  async untilRest(): Promise<string[]> {
    await expect
      .poll(async () => {
        // The next event may be one that never comes.
        this.#coming ??= this.next().finally(() => (this.#coming = undefined));
        this.#coming.catch(() => undefined);
        return JSON.stringify(await feedNow(this.client)) === JSON.stringify(this.#last);
      })
      .toBe(true);
    return this.#last ?? [];
  }
}

test('a subscriber gets the page at first, and then as each entry comes and goes, on any server', async () => {
  const [book = '', second = ''] = await ownBooks(one.app, 2);
  const [viewer, reader] = await Promise.all([somebody(one), somebody(other)]);
  await change(reader, 'updatePrivacy', { readings: 'EVERYONE' });
  const watcher = await FeedWatcher.of(viewer);
  expect(await watcher.next()).toEqual([]);

  await reader.like(book);
  await follow(viewer, reader);
  expect(await watcher.untilRest()).toHaveLength(1);
  const acts: (() => Promise<unknown>)[] = [
    () => reader.like(second),
    () => change(reader, 'markAsRead', { bookId: book }),
    () => change(reader, 'rateBook', { bookId: book, rating: 4 }),
    () => review(reader, book),
    () => reader.unlike(second),
    () => change(reader, 'deleteReview', { bookId: book }),
    () => change(reader, 'updatePrivacy', { likes: 'ONLY_ME' }),
    () => change(viewer, 'unfollow', { id: reader.viewerId }),
  ];
  const lengths: number[] = [];
  for (const act of acts) {
    await act();
    lengths.push((await watcher.untilRest()).length);
  }
  expect(lengths).toEqual([2, 3, 4, 5, 4, 3, 2, 0]);

  const again = await FeedWatcher.of(Object.assign(other.client(), { token: viewer.token }));
  expect(await again.next()).toEqual([]);
});

test('another rating is told, although the entry keeps its place', async () => {
  const [book = ''] = await ownBooks(one.app, 1);
  const [viewer, reader] = await Promise.all([somebody(), somebody()]);
  await change(reader, 'updatePrivacy', { readings: 'EVERYONE' });
  await change(reader, 'rateBook', { bookId: book, rating: 4 });
  await follow(viewer, reader);
  const watcher = await FeedWatcher.of(viewer);
  const cursors = await watcher.next();
  await change(reader, 'rateBook', { bookId: book, rating: 2.5 });
  expect(await watcher.next()).toEqual(cursors);
});

describe('nothing is told of', () => {
  test('what the viewer may not see', async () => {
    const [book = '', seen = ''] = await ownBooks(one.app, 2);
    const [viewer, hidden, owner, reader] = await Promise.all([1, 2, 3, 4].map(() => somebody()));
    const { list } = await owner!.mutate('createList', { name: 'Mine', audience: 'EVERYONE' }, 'list { id }');
    await change(hidden!, 'updatePrivacy', { likes: 'ONLY_ME', readings: 'ONLY_ME' });
    await change(owner!, 'block', { id: viewer!.viewerId });
    for (const followed of [hidden!, reader!]) await follow(viewer!, followed);
    const watcher = await FeedWatcher.of(viewer!);
    expect(await watcher.next()).toEqual([]);

    await hidden!.like(book);
    await change(hidden!, 'markAsRead', { bookId: book });
    await change(hidden!, 'rateBook', { bookId: book, rating: 4 });
    // The list is one of a reader who has blocked the viewer.
    await reader!.like(list.id);
    await change(reader!, 'markAsRead', { bookId: book });
    await change(reader!, 'createList', { name: 'Another', audience: 'EVERYONE' });
    await (await somebody()).like(book);
    await reader!.like(seen);
    expect(await watcher.next()).toHaveLength(1);
  });

  test('somebody who is signed out, and what happens after a logout or the end of an account', async () => {
    await expectToNeedSession(CHANGED, { one, other: one });
  });
});

test('an entry goes as soon as what it is about is hidden, by whomever', async () => {
  const administrator = await registerAdministrator(one);
  const books = await ownBooks(one.app, 3);
  const [viewer, reader, owner] = await Promise.all([somebody(), somebody(), somebody(other)]);
  const { list } = await owner.mutate('createList', { name: 'Mine', audience: 'EVERYONE' }, 'list { id }');
  const price = { amount: '5.00', currency: 'EUR' };
  const copy = await owner.mutate('listItem', { bookId: books[0], price, condition: 'GOOD' }, 'item { id }');
  const liked = [list.id as string, copy.item.id as string, await review(owner, books[1] ?? '')];
  for (const id of liked) await reader.like(id);
  const ofReader = await review(reader, books[2] ?? '');
  await follow(viewer, reader);
  const watcher = await FeedWatcher.of(viewer);
  expect(await watcher.next()).toHaveLength(4);

  const lengths: number[] = [];
  for (const act of [
    () => change(owner, 'updateList', { listId: list.id, audience: 'ONLY_ME' }),
    () => change(owner, 'updateList', { listId: list.id, audience: 'EVERYONE' }),
    () => change(administrator, 'takeDown', { id: ofReader, reason: 'Spam' }),
    () => change(owner, 'deleteReview', { bookId: books[1] }),
    () => change(administrator, 'suspendAccount', { id: owner.viewerId, reason: 'Spam' }),
    () => change(administrator, 'reinstateAccount', { id: owner.viewerId, reason: 'A mistake' }),
    async () => change(await one.client().login(owner.email), 'block', { id: viewer.viewerId }),
    () => change(reader, 'deleteAccount', { password: PASSWORD }),
  ]) {
    await act();
    lengths.push((await watcher.untilRest()).length);
  }
  expect(lengths).toEqual([3, 4, 3, 2, 0, 2, 0, 0]);
});

/**
 * Starts a server whose subscribers learn nothing until `look` reads the list of changes, once. An
 * announcement that is looked at for long would hide that another one is not.
 */
async function startLooking(): Promise<TestServer & { readonly look: () => Promise<void> }> {
  let now = 1_000_000;
  const server = await startServer(one.app.config, { monotonicNow: () => now });
  const look = async () => {
    now += 1_001;
    await readChanges(server.app);
  };
  await look();
  return { ...server, look };
}

const DOES = [
  'like',
  'unlike',
  'rateBook',
  'unrateBook',
  'show',
  'hide',
  'follow',
  'unfollow',
  'block',
  'unblock',
] as const;
/** Each kind of act, alone in its round. */
const ALONE = (
  ['rateBook', 'like', 'unfollow', 'follow', 'hide', 'show', 'unlike', 'unrateBook', 'block'] as const
).map((does) => [{ by: 0, on: 0, does }]);

test('one look after the answers, the last event has what the feed has, whatever readers and the viewer do', async () => {
  const servers = await Promise.all([startLooking(), startLooking()]);
  const look = () => Promise.all(servers.map((server) => server.look()));
  const books = await ownBooks(one.app, 3);
  const act = fc.record({ by: fc.nat(2), on: fc.nat(books.length - 1), does: fc.constantFrom(...DOES) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      const [viewer, ...readers] = await Promise.all([one, other, one, other].map(somebody));
      for (const reader of readers) {
        await follow(viewer!, reader);
        await change(reader, 'updatePrivacy', { readings: 'EVERYONE' });
        await reader.like(books[1]!);
      }
      const devices = servers.map((server) => Object.assign(server.client(), { token: viewer!.token }));
      const watchers = await Promise.all(devices.map((device) => FeedWatcher.of(device)));
      for (const acts of rounds) {
        await one.app.cassandra.client.execute('TRUNCATE changes_by_time');
        await look();
        for (const watcher of watchers) await watcher.untilRest();
        await Promise.all(
          acts.map(({ by, on, does }) => {
            const [reader, book] = [readers[by]!, books[on]!];
            switch (does) {
              case 'like':
              case 'unlike':
                return reader[does](book);
              case 'rateBook':
                return reader.mutate(does, { bookId: book, rating: 1 + on }, 'changed');
              case 'unrateBook':
                return reader.mutate(does, { bookId: book }, 'changed');
              case 'show':
              case 'hide':
                return reader.mutate(
                  'updatePrivacy',
                  { likes: does === 'show' ? 'EVERYONE' : 'ONLY_ME' },
                  '__typename',
                );
              case 'follow':
              case 'unfollow':
                return viewer!.mutate(does, { id: reader.viewerId }, 'changed');
              case 'block':
              case 'unblock':
                return reader.mutate(does, { id: viewer!.viewerId }, 'changed');
            }
          }),
        );
        await look();
        for (const watcher of watchers) await watcher.untilRest();
      }
      for (const { subscriber } of watchers) subscriber.close();
    }),
    { numRuns: runs(8), examples: [[ALONE]], endOnFailure: true },
  );
});
