import { beforeAll, describe, expect, test } from 'vitest';
import type { AppContext } from '../src/context/context.ts';
import { like, unlike } from '../src/likes/operations.ts';
import { groupCommit } from '../src/member-sets/group-commit.ts';
import { likeCounts, openStripes } from '../src/member-sets/counts.ts';
import { chooseShard, generationOf, isStripe, nextShard, shardOfStripe } from '../src/member-sets/numbering.ts';
import { transactionKinds } from '../src/app/workers.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { sendHeartbeat, recoverTransactions } from '../src/transactions/recovery.worker.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { runs } from './support/full.ts';
import { storedIdOf } from './support/ids.ts';
import { as, idsOf, likersOf, makeReaders } from './support/likers.ts';
import { ownBooks } from './support/books.ts';
import { newLike } from './support/changes.ts';
import { intercepted } from './support/intercept.ts';
import { simulateHot } from '../tools/simulation/hot.ts';

/** A likeable that many readers like at once, on many servers. */

const SERVERS = 4;
const READERS = runs(240, 120);

let servers: TestServer[];

beforeAll(async () => {
  const config = await sharedKeyspace();
  servers = await Promise.all(Array.from({ length: SERVERS }, () => startServer(config)));
  // Each server knows the others, as real servers do within a second.
  await Promise.all(servers.map(({ app }) => sendHeartbeat(app)));
  await Promise.all(servers.map(({ app }) => recoverTransactions(app, transactionKinds)));
});

const first = () => servers[0]!;
const ownBook = async () => (await ownBooks(first().app, 1))[0] ?? '';

const mapConcurrently = <Result>(
  readers: readonly string[],
  work: (app: AppContext, userId: string) => Promise<Result>,
) => Promise.all(readers.map((userId, index) => work(servers[index % SERVERS]!.app, userId)));

/** Expects the likes newest first, with each reader once, in pages of any size from either end. */
async function expectListed(id: string, readers: readonly string[]) {
  const all = await first().client().allPages(100, 'forward', likersOf(first(), id));
  expect(idsOf(all).toSorted()).toEqual(readers.toSorted());
  for (const direction of ['forward', 'backward'] as const)
    expect(idsOf(await first().client().allPages(30, direction, likersOf(first(), id)))).toEqual(idsOf(all));

  const query = `{ node(id: "${id}") { ... on Book { likeCount likeTally { count isExact } } } }`;
  const { node } = await first().client().data(query);
  expect(node).toEqual({ likeCount: readers.length, likeTally: { count: readers.length, isExact: true } });
}

describe('a thing that is liked on four servers at once', () => {
  test('is liked in stripes: lists, count and tally are exact, and earlier cursors still work', async () => {
    const id = await ownBook();
    const early = await makeReaders(first().app, 20);
    for (const userId of early) await like(as(first().app, userId), { id });
    const before = (await likersOf(first(), id)('first: 20')).edges;

    const readers = await makeReaders(first().app, READERS);
    // Some choose the one open shard, the others a stripe, as happens when servers have delayed
    // each other.
    const third = READERS / 3;
    const begun = mapConcurrently(readers.slice(0, third), (app, userId) => like(as(app, userId), { id }));
    await openStripes(servers[1]!.app, storedIdOf(id), 0);
    await expect.poll(async () => (await likeCounts(first().app).load(storedIdOf(id)))?.stripes).toBeGreaterThan(1);
    const answers = await mapConcurrently(readers.slice(third), (app, userId) => like(as(app, userId), { id }));
    expect([...(await begun), ...answers].every(({ changed }) => changed)).toBe(true);
    const shards = (await likeCounts(first().app).load(storedIdOf(id)))?.shards ?? [];
    expect(shards.filter(isStripe).length).toBeGreaterThan(1);
    await expectListed(id, [...early, ...readers]);

    const behind = (await likersOf(first(), id)(`first: 100, after: "${before[4].cursor}"`)).edges;
    expect(idsOf(behind)).toEqual(idsOf(before.slice(5)));
    const ahead: string[] = [];
    for (let cursor = before[0].cursor as string | null; cursor !== null;) {
      const { edges, pageInfo } = await likersOf(first(), id)(`last: 100, before: "${cursor}"`);
      ahead.push(...idsOf(edges));
      cursor = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    }
    expect(ahead.toSorted()).toEqual(readers.toSorted());

    const gone = readers.filter((_, index) => index % 3 === 0);
    const takenBack = await mapConcurrently(gone, (app, userId) => unlike(as(app, userId), { id }));
    expect(takenBack.every(({ changed }) => changed)).toBe(true);
    await expectListed(id, [...early, ...readers.filter((userId) => !gone.includes(userId))]);

    // They like it again, perhaps in another shard, and are still listed once each.
    await mapConcurrently(gone, (app, userId) => like(as(app, userId), { id }));
    await expectListed(id, [...early, ...readers]);
  });
});

describe('the shard of a new like', () => {
  test('is an open shard without contention, or the first stripe if stripes were opened before', () => {
    expect(chooseShard(undefined, 3)).toBe(0);
    expect(chooseShard({ newestShard: 7, stripes: 1 }, 3)).toBe(7);
    expect(chooseShard({ newestShard: 64 + 13, stripes: 1 }, 3)).toBe(64);
  });

  test("is the server's own stripe if stripes are open: no two servers have the same", () => {
    const chosenAfter = (newestShard: number) =>
      servers.map(({ app }) => chooseShard({ newestShard, stripes: 64 }, transactionLog(app).rank));
    const chosen = chosenAfter(7);
    expect(new Set(chosen).size).toBe(SERVERS);
    expect(chosen.map(generationOf)).toEqual(chosen.map(() => 64));
    expect(chosenAfter(64 + 5)).toEqual(chosen);
  });

  test('a repeated call does not delay others', async () => {
    const { app } = first();
    const [likeableId, change] = [storedIdOf(await ownBook()), newLike(1)];
    const asked: string[] = [];
    const cassandra = intercepted(app.cassandra, ({ cql, send }) => {
      asked.push(cql);
      return send();
    });
    await groupCommit(app).apply(likeableId, 0, change);
    await groupCommit({ ...app, cassandra }).apply(likeableId, 0, change);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((cql) => cql.includes('SET stripes'))).toEqual([]);
  });

  test('contention is known to all servers for a minute: a few stripes open first, then all', async () => {
    const likeableId = storedIdOf(await ownBook());
    const marked = async () => {
      const cql = 'SELECT stripes, TTL(stripes) AS seconds FROM like_counts WHERE likeable_id = ?';
      const { rows } = await first().app.cassandra.client.execute(cql, [likeableId], { prepare: true });
      return rows.map((row) => ({ stripes: row['stripes'] as number, seconds: row['seconds'] as number }));
    };
    await openStripes(first().app, likeableId, 0);
    await expect.poll(async () => (await marked())[0]?.stripes).toBe(8);
    expect((await marked())[0]?.seconds).toBeLessThanOrEqual(60);
    expect(await likeCounts(servers[1]!.app).load(likeableId)).toMatchObject({ likeCount: 0, shards: [], stripes: 8 });
    await openStripes(servers[1]!.app, likeableId, 64);
    await expect.poll(async () => (await marked())[0]?.stripes).toBe(64);
  });

  test('shards are numbered in blocks, with blocks of stripes in between', () => {
    expect([0, 62, 63, 64, 127, 128, 191].map(nextShard)).toEqual([1, 63, 128, 128, 128, 129, 256]);
    expect([0, 63, 64, 127, 128].map((shard) => shardOfStripe(shard, 3))).toEqual([67, 67, 67, 67, 195]);
    expect([0, 63, 64, 127, 128].map(generationOf)).toEqual([0, 63, 64, 64, 128]);
  });
});

describe('too many uncounted changes', () => {
  test('are refused before they are decided, but not after', async () => {
    const { app } = first();
    const [reader = '', liker = ''] = await makeReaders(first().app, 2);
    const id = await ownBook();
    await like(as(app, liker), { id });

    const held = Promise.withResolvers<undefined>();
    const cassandra = intercepted(app.cassandra, async ({ cql, send }) => {
      if (cql.includes('user_by_item') && cql.includes(' IF ')) await held.promise;
      return send();
    });
    const busy = { ...app, cassandra };
    const waiting = Array.from({ length: 2_100 }, (_, index) =>
      groupCommit(busy).apply(storedIdOf(id), 0, newLike(index + 1)),
    );
    const refusal = { extensions: { code: 'OVERLOADED', retryAfterSeconds: 1 } };
    await expect.poll(() => like(as(busy, reader), { id }).catch((error: unknown) => error)).toMatchObject(refusal);
    await expect(unlike(as(busy, liker), { id })).rejects.toMatchObject(refusal);
    const { rows } = await app.cassandra.client.execute(
      'SELECT state FROM likes_by_user WHERE user_id IN ? AND likeable_id = ?',
      [[reader, liker], storedIdOf(id)],
      { prepare: true },
    );
    expect(rows).toMatchObject([{ state: { liked: true, version: 1 } }]);

    held.resolve(undefined);
    await Promise.all(waiting);
    expect(await like(as(busy, reader), { id })).toMatchObject({ changed: true });
    expect(await likeCounts(app).load(storedIdOf(id))).toMatchObject({ likeCount: 2_102 });
  });
});

describe('simulated: many likes of one thing a second', () => {
  test('take at most twice as long on 50 servers as on one; all are listed and counted, and none fails at first', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    const likes = runs(1_000, 300);
    const [one, many] = [
      await simulateHot({ seed, servers: 1, likes }),
      await simulateHot({ seed, servers: 50, likes }),
    ];
    expect(many).toMatchObject({ timeouts: 0, listed: 2 * likes, tally: 2 * likes });
    expect(many.then.p99).toBeLessThanOrEqual(2 * one.then.p99);
    expect(many.shards).toBeGreaterThan(1);
    // One server needs no stripes.
    expect(one).toMatchObject({ timeouts: 0, listed: 2 * likes, tally: 2 * likes, shards: 1 });
  });
});
