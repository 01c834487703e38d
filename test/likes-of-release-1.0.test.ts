import { beforeAll, describe, expect, test } from 'vitest';
import { appliedBatch } from '../src/cassandra/statement.ts';
import { announce } from '../src/changes/operations.ts';
import { beginJob, doJobsOf, jobsOf } from '../src/jobs/operations.ts';
import { likes } from '../src/likes/aggregate.ts';
import { like, unlike } from '../src/likes/operations.ts';
import { likeAudit } from '../src/likes/audit.ts';
import { groupCommit } from '../src/member-sets/group-commit.ts';
import { likeCounts } from '../src/member-sets/counts.ts';
import { shardsOfBlock } from '../src/member-sets/numbering.ts';
import { changedState, NO_SHARD, readStates } from '../src/member-sets/shard.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { SHOWN } from './support/changes.ts';
import { IS_FULL } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { as, expectLikedBy, idsOf, likedBook, likersOf } from './support/likers.ts';

/**
 * Likes in the form in which servers of release 1.0.0 store them, also while this release runs: the
 * counts of older blocks of 64 shards are summed in one row, and likes are moved to other shards.
 * Each shard has one like here.
 */

const READERS = 70;

let server: TestServer;
let other: TestServer;
let id: string;
let readers: string[];

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment({ LIKE_SHARD_ROWS_MAX: '1' }));
  server = await startServer(config);
  other = await startServer(config);
});

/** Makes the book of the next tests. */
async function makeBook() {
  ({ id, readers } = await likedBook(server.app, READERS));
}

const likeableId = () => storedIdOf(id);
const book = () => ({ type: 'Book' as const, key: keyOf(id) });
const execute = (cql: string, params: readonly unknown[]) =>
  server.app.cassandra.client.execute(cql, [...params], { prepare: true });

const statesIn = async (shards: readonly number[]) =>
  (await readStates(server.app.cassandra, [likeableId()], shards)).get(likeableId()) ?? [];

/** Marks a shard as release 1.0.0 does: the sum of its block, once made, includes it. */
async function mark(shard: number): Promise<void> {
  for (;;) {
    const [before = NO_SHARD] = await statesIn([shard]);
    if (before.summed) return;
    const after = { ...before, version: before.version + 1, closed: true, summed: true };
    const key = { likeable_id: likeableId(), shard };
    if (await appliedBatch(server.app.cassandra, changedState(key, before, after))) return;
  }
}

/** Sums up the first block as release 1.0.0 does. */
async function sumUp(): Promise<void> {
  const shards = shardsOfBlock(0);
  await Promise.all(shards.map(mark));
  const versionOf = (states: Awaited<ReturnType<typeof statesIn>>) =>
    states.reduce((total, { version }) => total + version, 0);
  let states = await statesIn(shards);
  for (let before = -1; before !== versionOf(states); states = await statesIn(shards)) before = versionOf(states);

  await announce(server.app, [{ kind: 'LIKE_COUNTS', key: likeableId() }]);
  const count = states.reduce((total, { likeCount }) => total + likeCount, 0);
  await execute(
    `BEGIN BATCH
       INSERT INTO like_counts (likeable_id, shard, like_count, summed) VALUES (?, 0, ?, true) USING TIMESTAMP ?;
       DELETE FROM like_counts USING TIMESTAMP 2147483648 WHERE likeable_id = ? AND shard > 0 AND shard <= 63;
     APPLY BATCH`,
    [likeableId(), count, BigInt(versionOf(states)), likeableId()],
  );
}

const expectLiked = (by: readonly string[]) =>
  expectLikedBy([server, other], id, by, [
    [50, 'forward'],
    [IS_FULL ? 7 : 30, 'backward'],
  ]);

/** Reads the rows of counts like a server of release 1.0.0. */
const rowsOf = async () => {
  const { rows } = await execute(
    'SELECT shard, like_count, summed, WRITETIME(like_count) AS written FROM like_counts WHERE likeable_id = ?',
    [likeableId()],
  );
  return rows.map((row) => ({
    shard: row['shard'] as number,
    count: row['like_count'] as number,
    summed: row['summed'] as boolean | null,
    written: row['written'] as bigint,
  }));
};
const sumOf = async () => (await rowsOf()).filter(({ shard }) => shard < 64);

describe('a block that release 1.0.0 has summed up', () => {
  describe('with all its likes', () => {
    let before: { readonly cursor: string }[];
    beforeAll(async () => {
      await makeBook();
      before = (await likersOf(server, id)('first: 10')).edges;
      await sumUp();
    });

    test('is read as before: lists, earlier cursors, count and tally', async () => {
      expect(await sumOf()).toMatchObject([{ shard: 0, count: 64, summed: true }]);
      await expectLiked(readers);
      const behind = (await likersOf(server, id)(`first: 100, after: "${before[3]!.cursor}"`)).edges;
      expect(idsOf(behind)).toEqual(readers.toReversed().slice(4));
      const ahead = (await likersOf(server, id)(`last: 100, before: "${behind[40].cursor}"`)).edges;
      expect(idsOf(ahead)).toEqual(readers.toReversed().slice(0, 44));
    });

    test('has no drift, and a wrong sum is found and repaired', async () => {
      const scope = { likeableId: likeableId() };
      expect(await audited(server.app, [likeAudit], { scope })).toMatchObject({ drift: [] });

      const [sum] = await rowsOf();
      await execute(
        `INSERT INTO like_counts (likeable_id, shard, like_count, summed) VALUES (?, 0, 99, true) USING TIMESTAMP ${String(sum?.written)}`,
        [likeableId()],
      );
      const { drift } = await audited(server.app, [likeAudit], { scope, repair: true });
      expect(drift.length).toBeGreaterThan(0);
      expect(drift.every(({ table, repaired }) => table === 'like_counts' && repaired === true)).toBe(true);
      expect(await sumOf()).toMatchObject([{ shard: 0, count: 64 }]);
      await expectLiked(readers);
    });

    test('is counted at once when a like in it is taken back, or arrives late, also by servers of 1.0.0', async () => {
      const gone = readers.slice(3, 9);
      await Promise.all(gone.map((userId, index) => unlike(as((index % 2 ? server : other).app, userId), { id })));
      await expectLiked(readers.filter((userId) => !gone.includes(userId)));
      expect(await sumOf()).toMatchObject([{ shard: 0, count: 58, summed: true }]);

      // The like had chosen its shard before, and was slow since.
      const late = { userId: server.app.randomId(), version: 1, likedAt: new Date(), shown: SHOWN };
      await groupCommit(other.app).apply(likeableId(), 33, late);
      expect(await likeCounts(server.app).load(likeableId())).toMatchObject({ likeCount: READERS - 6 + 1 });
      expect(await sumOf()).toMatchObject([{ shard: 0, count: 59, summed: true }]);
      await groupCommit(other.app).apply(likeableId(), 33, { ...late, version: 2, shown: undefined });
    });

    test('costs nothing any more once all its likes were taken back', async () => {
      await Promise.all(readers.map((userId) => unlike(as(server.app, userId), { id })));
      expect((await rowsOf()).map(({ shard }) => shard)).toEqual([134]);
      await expectLiked([]);
      // A like that was taken back is liked anew, in the open shard.
      await like(as(other.app, readers[5]!), { id });
      await expectLiked([readers[5]!]);
    });
  });

  test('has right counts all the time while some or all are marked by a server that died', async () => {
    await makeBook();
    const left = [...readers];
    const takeBack = async (index: number) => {
      const [userId = ''] = left.splice(index, 1);
      await unlike(as(server.app, userId), { id });
      expect((await likeCounts(other.app).load(likeableId()))?.likeCount).toBe(left.length);
    };
    for (let shard = 0; shard < 30; shard++) await mark(shard);
    await takeBack(50);
    await takeBack(10);
    await expectLiked(left);
    for (let shard = 30; shard < 64; shard++) await mark(shard);
    await takeBack(40);
    await takeBack(5);
    await expectLiked(left);

    await sumUp();
    expect(await sumOf()).toMatchObject([{ shard: 0, count: 60, summed: true }]);
    await takeBack(20);
    await expectLiked(left);
  });

  test('can be summed while two servers take back likes of it, and none is lost', async () => {
    await makeBook();
    const gone = readers.filter((_, index) => index % 2 === 0);
    await Promise.all([
      sumUp(),
      ...gone.map((userId, index) => unlike(as((index % 4 ? server : other).app, userId), { id })),
    ]);
    const left = readers.filter((userId) => !gone.includes(userId));
    expect(await sumOf()).toMatchObject([{ shard: 0, count: left.filter((_, index) => index < 32).length }]);
    await expectLiked(left);
  });
});

describe('a like that a server of release 1.0.0 was moving to another shard when it died', () => {
  beforeAll(makeBook);
  const keyOfLike = (userId: string) => ({ userId, likeableId: likeableId() });
  /** Decides a move without its further steps. */
  const move = (userId: string, from: number, to: number) =>
    likes.amend(server.app, keyOfLike(userId), (state) => Promise.resolve({ ...state, shard: to, former_shard: from }));
  /** Also writes the new row of a move; the former row still exists. */
  const write = async (userId: string, shard: number) => {
    const state = await likes.read(server.app, keyOfLike(userId));
    const { version = 0, liked_at: likedAt } = state ?? {};
    if (likedAt) await groupCommit(server.app).apply(likeableId(), shard, { userId, version, likedAt, shown: SHOWN });
  };
  const recover = (userId: string) =>
    likes.transaction.recover(other.app, keyOfLike(userId), async (_name, work) => work());

  test('makes no tally exact that contains it twice: a tally of several shards is not exact while such a server runs', async () => {
    const log = transactionLog(other.app);
    log.oldestAlive = '1.0.0';
    await expectLikedBy([server, other], id, readers, [], false);
    log.oldestAlive = undefined;
    await expectLiked(readers);
  });

  test.each([
    [true, 5],
    [false, 20],
  ])('is moved when the move is recovered, if it was written: %s', async (isWritten, from) => {
    const userId = readers[from]!;
    await move(userId, from, from + 1);
    if (isWritten) await write(userId, from + 1);
    await recover(userId);
    await expectLiked(readers);
    expect((await statesIn([from, from + 1])).map(({ likeCount }) => likeCount)).toEqual([0, 2]);
  });

  test('can be taken back and made again like any other like, before the move is recovered', async () => {
    await move(readers[30]!, 30, 31);
    await write(readers[30]!, 31);
    await unlike(as(other.app, readers[30]!), { id });
    const left = readers.filter((_, index) => index !== 30);
    await expectLiked(left);

    await move(readers[8]!, 8, 9);
    await write(readers[8]!, 9);
    await unlike(as(other.app, readers[8]!), { id });
    await like(as(server.app, readers[8]!), { id });
    expect(await likes.read(server.app, keyOfLike(readers[8]!))).toMatchObject({ former_shard: null });
    await expectLiked([...left.filter((userId) => userId !== readers[8]), readers[8]!]);
    expect(await audited(server.app, [likeAudit], { scope: { likeableId: likeableId() } })).toMatchObject({
      drift: [],
    });
  });
});

test('jobs that only release 1.0.0 runs end immediately, and change nothing', async () => {
  for (const kind of ['SUM_UP', 'MERGE']) await beginJob(server.app, book(), kind, '', new Date());
  const before = await rowsOf();
  await doJobsOf(server.app, book());
  expect(await jobsOf(server.app, book())).toEqual([]);
  expect(await rowsOf()).toEqual(before);
});
