import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobsOf } from '../src/jobs/operations.ts';
import { like, unlike } from '../src/likes/operations.ts';
import { audit } from '../src/audit/audit.ts';
import { likeAudit } from '../src/likes/audit.ts';
import { groupCommit } from '../src/likers/group-commit.ts';
import { likeCounts } from '../src/likers/loaders.ts';
import { sumUpLikers } from '../src/likers/sum-up.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { as, expectLikedBy, idsOf, likedBook, likersOf } from './support/likers.ts';
import { SHOWN } from './support/changes.ts';

/**
 * Counts of things that very many readers like: older blocks of 64 shards are one row. Each shard
 * has one like here.
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

beforeEach(async () => {
  ({ id, readers } = await likedBook(server.app, READERS));
});

const bookId = () => keyOf(id);
/** Does all pages of the job. */
async function sumUp(): Promise<void> {
  for (let position: string | undefined = ''; position !== undefined;)
    position = await sumUpLikers(server.app, bookId(), position, `Book:${bookId()}`);
}
const expectLiked = (by: readonly string[]) =>
  expectLikedBy([server, other], id, by, [
    [50, 'forward'],
    [7, 'backward'],
  ]);

const rowsOf = async () => {
  const { rows } = await server.app.cassandra.client.execute(
    'SELECT shard, like_count, summed, WRITETIME(like_count) AS written FROM like_counts WHERE likeable_id = ?',
    [storedIdOf(id)],
    { prepare: true },
  );
  return rows.map((row) => ({
    shard: row['shard'] as number,
    count: row['like_count'] as number,
    summed: row['summed'] as boolean | null,
    written: row['written'] as bigint,
  }));
};

describe('a block of full shards', () => {
  test('is summed up by a job that a like begins; lists, earlier cursors, count and tally stay', async () => {
    await expect.poll(() => jobsOf(server.app, { type: 'Book', key: bookId() })).toMatchObject([{ kind: 'SUM_UP' }]);
    const before = (await likersOf(server, id)('first: 10')).edges;
    await sumUp();

    const rows = await rowsOf();
    expect(rows[0]).toMatchObject({ shard: 0, count: 64, summed: true });
    expect(rows.slice(1).every(({ shard, summed }) => shard >= 128 && summed === null)).toBe(true);
    await expectLiked(readers);
    const behind = (await likersOf(server, id)(`first: 100, after: "${before[3].cursor}"`)).edges;
    expect(idsOf(behind)).toEqual(readers.toReversed().slice(4));
    const ahead = (await likersOf(server, id)(`last: 100, before: "${behind[40].cursor}"`)).edges;
    expect(idsOf(ahead)).toEqual(readers.toReversed().slice(0, 44));
  });

  test('is counted at once when a like in it is taken back, or arrives late', async () => {
    await sumUp();
    const gone = readers.slice(3, 9);
    await Promise.all(gone.map((userId, index) => unlike(as((index % 2 ? server : other).app, userId), { id })));
    await expectLiked(readers.filter((userId) => !gone.includes(userId)));

    // The like had chosen its shard before, and was slow since.
    const late = { userId: server.app.randomId(), version: 1, likedAt: new Date(), shown: SHOWN };
    await groupCommit(other.app).apply(storedIdOf(id), 33, late);
    expect(await likeCounts(server.app).load(storedIdOf(id))).toMatchObject({ likeCount: READERS - 6 + 1 });
  });

  test('costs nothing any more once all its likes were taken back', async () => {
    await sumUp();
    await Promise.all(readers.map((userId) => unlike(as(server.app, userId), { id })));
    expect((await rowsOf()).map(({ shard }) => shard)).toEqual([134]);
    await expectLiked([]);
    // A like that was taken back is liked anew, in the open shard.
    await like(as(other.app, readers[5]!), { id });
    await expectLiked([readers[5]!]);
  });

  test.each([30, 64])('has right counts all the time while %s are marked by a server that died', async (marked) => {
    const left = [...readers];
    const takeBack = async (index: number) => {
      const [userId = ''] = left.splice(index, 1);
      await unlike(as(server.app, userId), { id });
      expect((await likeCounts(other.app).load(storedIdOf(id)))?.likeCount).toBe(left.length);
    };
    for (let shard = 0; shard < marked; shard++) await groupCommit(server.app).markSummed(storedIdOf(id), shard);
    await takeBack(50);
    await takeBack(10);
    await expectLiked(left);

    await sumUp();
    expect((await rowsOf()).filter(({ shard }) => shard < 64)).toMatchObject([{ shard: 0, count: 62, summed: true }]);
    await takeBack(20);
    await expectLiked(left);
  });

  test('is summed up while two servers take likes of it back: none is lost', async () => {
    const gone = readers.filter((_, index) => index % 2 === 0);
    await Promise.all([
      sumUp(),
      ...gone.map((userId, index) => unlike(as((index % 4 ? server : other).app, userId), { id })),
    ]);
    await sumUp();
    await expectLiked(readers.filter((userId) => !gone.includes(userId)));
  });

  test('has no drift, and a wrong sum is found and repaired', async () => {
    await sumUp();
    const quick = { ...server.app, cassandra: { ...server.app.cassandra, backOff: () => Promise.resolve() } };
    const scope = { likeableId: storedIdOf(id) };
    for await (const { drift, unreadable } of audit(quick, [likeAudit], scope, false))
      expect({ drift, unreadable }).toEqual({ drift: [], unreadable: [] });

    const [sum] = await rowsOf();
    await server.app.cassandra.client.execute(
      `INSERT INTO like_counts (likeable_id, shard, like_count, summed) VALUES (?, 0, 99, true) USING TIMESTAMP ${String(sum?.written)}`,
      [storedIdOf(id)],
      { prepare: true },
    );
    const found = [];
    for await (const { drift } of audit(quick, [likeAudit], scope, true)) found.push(...drift);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ table, repaired }) => table === 'like_counts' && repaired === true)).toBe(true);
    await expectLiked(readers);
  });
});
