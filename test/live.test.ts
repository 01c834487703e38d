import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeId } from '../src/graphql/ids.ts';
import { Subscriber } from '../tools/support/subscriber.ts';
import { registerAdministrator } from './support/accounts.ts';
import type { TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { startTwoServers } from './support/live.ts';

/** Like tallies that move by themselves. Two servers share a keyspace. */

const TALLIES = `subscription ($ids: [ID!]!) {
  likeTallies(ids: $ids) { changes { id likeTally { count isExact version } } }
}`;
const TALLY = '... on Likeable { likeTally { count isExact version } }';

interface Tally {
  readonly count: number;
  readonly isExact: boolean;
  readonly version: number;
}
type Shown = Readonly<Record<string, Tally | null>>;

let one: TestServer;
let other: TestServer;

beforeAll(async () => {
  [one, other] = await startTwoServers();
});

/** A subscriber to tallies, and what they have been shown of each id. */
class Watcher {
  readonly subscriber: Subscriber;
  shown: Shown = {};
  readonly received: Shown[] = [];

  constructor(subscriber: Subscriber) {
    this.subscriber = subscriber;
  }

  static async of(client: Client, ids: readonly string[]): Promise<Watcher> {
    const subscriber = await Subscriber.begin(client, TALLIES, { ids });
    onTestFinished(() => {
      subscriber.close();
    });
    return new Watcher(subscriber);
  }

  /** Takes the next event, and returns what it has changed. */
  async next(): Promise<Shown> {
    const event = await this.subscriber.next();
    expect(event?.errors).toBe(undefined);
    const changes = event?.data.likeTallies.changes as { id: string; likeTally: Tally | null }[];
    const changed = Object.fromEntries(changes.map(({ id, likeTally }) => [id, likeTally]));
    this.shown = { ...this.shown, ...changed };
    this.received.push(changed);
    return changed;
  }

  /** Takes events until what is shown fulfils a condition. */
  async until(isReached: (shown: Shown) => boolean): Promise<Shown> {
    while (!isReached(this.shown)) await this.next();
    return this.shown;
  }
}

async function talliesNow(client: Client, ids: readonly string[]): Promise<Shown> {
  const { nodes } = await client.data(`query ($ids: [ID!]!) { nodes(ids: $ids) { id ${TALLY} } }`, { ids });
  return Object.fromEntries(ids.map((id, index) => [id, nodes[index]?.likeTally ?? null]));
}

describe('like tallies', () => {
  test('come all at first, and then as each of them changes, on any server', async () => {
    const ids = await ownBooks(one.app, 3);
    const [book = '', second = ''] = ids;
    const reader = await one.client().registerSomebody();
    await reader.like(second);
    const watcher = await Watcher.of(one.client(), ids);
    expect(await watcher.next()).toEqual(await talliesNow(reader, ids));
    expect(Object.keys(watcher.shown)).toEqual(ids);
    expect(watcher.shown[second]).toMatchObject({ count: 1, isExact: true });

    await reader.like(book);
    const changed = await watcher.next();
    expect(changed).toEqual(await talliesNow(reader, [book]));
    const elsewhere = await other.client().registerSomebody();
    await elsewhere.like(book);
    expect((await watcher.next())[book]?.count).toBe(2);
    await reader.unlike(book);
    const { version } = watcher.shown[book] ?? { version: 0 };
    expect((await watcher.next())[book]).toMatchObject({ count: 1, isExact: true });
    expect(watcher.shown[book]?.version).toBeGreaterThan(version);
  });

  test('are current in the first event, even while others watch the same thing', async () => {
    const ids = await ownBooks(one.app, 1);
    const [book = ''] = ids;
    const reader = await other.client().registerSomebody();
    const earlier = await Watcher.of(one.client(), ids);
    await earlier.next();
    for (let times = 0; times < 3; times++) {
      await (times % 2 === 0 ? reader.like(book) : reader.unlike(book));
      const again = await Watcher.of(one.client(), ids);
      expect(await again.next()).toEqual(await talliesNow(reader, ids));
    }
    await earlier.until((shown) => shown[book]?.count === 1);
  });

  test('of a thing that the viewer may not see are null, just as the thing itself', async () => {
    const [book = ''] = await ownBooks(one.app, 1);
    const [owner, reader, fan] = await Promise.all([1, 2, 3].map(() => one.client().registerSomebody()));
    const { list } = await owner!.mutate('createList', { name: 'Mine', audience: 'EVERYONE' }, 'list { id }');
    const { review } = await owner!.mutate(
      'writeReview',
      { bookId: book, text: 'Good.', hasSpoilers: false },
      'review { id }',
    );
    const ids = [list.id as string, review.id as string, encodeId({ type: 'Book', key: '9780000000000' })];
    await fan!.like(list.id);
    const watcher = await Watcher.of(reader!, ids);
    const tallies = await talliesNow(reader!, ids);
    expect(await watcher.next()).toEqual(tallies);
    expect(tallies[ids[2] ?? '']).toBe(null);
    expect(tallies[list.id]).toMatchObject({ count: 1 });

    await owner!.mutate('updateList', { listId: list.id, audience: 'ONLY_ME' }, 'list { id }');
    expect(await watcher.next()).toEqual({ [list.id]: null });
    await owner!.mutate('updateList', { listId: list.id, audience: 'EVERYONE' }, 'list { id }');
    expect(await watcher.next()).toEqual({ [list.id]: tallies[list.id] });

    await owner!.mutate('block', { id: reader!.viewerId }, 'changed');
    expect(await watcher.next()).toEqual({ [list.id]: null, [review.id]: null });
    await fan!.like(review.id);
    await owner!.mutate('unblock', { id: reader!.viewerId }, 'changed');
    await watcher.until((shown) => shown[review.id]?.count === 1);
    expect(watcher.shown).toEqual(await talliesNow(reader!, ids));

    await owner!.mutate('deleteReview', { bookId: book }, 'changed');
    expect(await watcher.next()).toEqual({ [review.id]: null });
  });

  test('of a copy are null while it is withheld, and of a list for followers once it may not be seen', async () => {
    const administrator = await registerAdministrator(one);
    const [bookId] = await ownBooks(one.app, 1);
    const [owner, reader] = await Promise.all([one, other].map((server) => server.client().registerSomebody()));
    await reader!.mutate('follow', { id: owner!.viewerId }, 'changed');
    const price = { amount: '5.00', currency: 'EUR' };
    const { item } = await owner!.mutate('listItem', { bookId, price, condition: 'GOOD' }, 'item { id }');
    const { list } = await owner!.mutate('createList', { name: 'Mine', audience: 'FOLLOWERS' }, 'list { id }');
    const watcher = await Watcher.of(reader!, [item.id, list.id]);
    const tallies = await watcher.next();
    expect(tallies[list.id]).not.toBe(null);

    await administrator.mutate('suspendAccount', { id: owner!.viewerId, reason: 'Spam' }, 'changed');
    await watcher.until((shown) => shown[item.id] === null && shown[list.id] === null);
    await administrator.mutate('reinstateAccount', { id: owner!.viewerId, reason: 'A mistake' }, 'changed');
    await watcher.until((shown) => shown[item.id] !== null && shown[list.id] !== null);
    expect(watcher.shown).toEqual(tallies);

    // The suspension has ended the session.
    const again = await one.client().login(owner!.email);
    await again.mutate('removeFollower', { id: reader!.viewerId }, 'changed');
    expect(await watcher.next()).toEqual({ [list.id]: null });
    await reader!.mutate('follow', { id: owner!.viewerId }, 'changed');
    expect(await watcher.next()).toEqual({ [list.id]: tallies[list.id] });
  });

  test.each([
    ['no id', () => [], 'BAD_USER_INPUT', /"ids" has 0 ids/],
    ['too many ids', (book: string) => Array.from({ length: 101 }, () => book), 'BAD_USER_INPUT', /"ids" has 101 ids/],
    ['a malformed id', (book: string) => [book, 'nonsense'], 'BAD_USER_INPUT', /"ids" is not an id/],
    [
      'the id of a library',
      () => [encodeId({ type: 'Library', key: 'US-1' })],
      'BAD_USER_INPUT',
      /"ids" has the id of a Library/,
    ],
  ])('of %s are refused, with the name of the argument', async (_what, idsOf, code, message) => {
    const [book = ''] = await ownBooks(one.app, 1);
    const response = await Subscriber.ask(one.client(), TALLIES, { ids: idsOf(book) });
    const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect(errors[0]?.extensions.code).toBe(code);
    expect(errors[0]?.message).toMatch(message);
  });
});

test('what a subscriber is shown is never older than before, and equals the tallies once nothing changes', async () => {
  const ids = await ownBooks(one.app, 3);
  const readers = await Promise.all([one, other, other].map((server) => server.client().registerSomebody()));
  const act = fc.record({ by: fc.nat(readers.length - 1), of: fc.nat(ids.length - 1), likes: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { maxLength: 6 }), async (rounds) => {
      const watchers = await Promise.all([one, other].map((server) => Watcher.of(server.client(), ids)));
      for (const acts of rounds)
        await Promise.all(
          acts.map(({ by, of, likes }) => {
            const [reader, id] = [readers[by]!, ids[of]!];
            return likes ? reader.like(id) : reader.unlike(id);
          }),
        );
      const atRest = await talliesNow(readers[0]!, ids);
      for (const watcher of watchers) {
        expect(await watcher.until((shown) => ids.every((id) => shown[id]?.version === atRest[id]?.version))).toEqual(
          atRest,
        );
        for (const id of ids) {
          const versions = watcher.received.flatMap((changed) => changed[id]?.version ?? []);
          expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
        }
        watcher.subscriber.close();
      }
    }),
    { numRuns: runs(12) },
  );
});
