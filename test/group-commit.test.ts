import { randomInt, randomUUID } from 'node:crypto';
import { errors, types } from 'cassandra-driver';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { appContext } from '../src/app/app-context.ts';
import { makeLogger } from '../src/app/logger.ts';
import type { Cassandra } from '../src/cassandra/statement.ts';
import { connectCassandra } from '../src/cassandra/client.ts';
import type { Config } from '../src/config/config.ts';
import type { Change } from '../src/member-sets/shard.ts';
import { GroupCommit } from '../src/member-sets/group-commit.ts';
import { sharedKeyspace } from './support/app.ts';
import { newLike, SHOWN, takenBack } from './support/changes.ts';
import { runs } from './support/full.ts';
import { intercepted } from './support/intercept.ts';

const monotonicNow = () => performance.now();
const ALONE_COMMITS = 2;
const groupCommitOf = (connection: Cassandra, likeShardRowsMax = 1_000) =>
  new GroupCommit(
    appContext({
      config: { ...config, likeShardRowsMax, likeShardAloneCommits: ALONE_COMMITS },
      cassandra: connection,
      logger: makeLogger('fatal'),
    }),
  );

/** Makes a like that is decided now. */
const decidedLike = (second: number): Change => ({ ...newLike(second), newSince: monotonicNow() });

let config: Config;
let cassandra: Cassandra;

beforeAll(async () => {
  config = await sharedKeyspace();
  cassandra = await connectCassandra(config.cassandra);
  return () => cassandra.client.shutdown();
});

test('changes in any order, any number of times, by two processes at once: each like has its newest version', async () => {
  const readers = Array.from({ length: 6 }, () => randomUUID());
  // Most changes come from one process, because only a process that makes nearly all commits skips
  // reads.
  const mostlyOne = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) });
  // The next change of a reader, the process that receives it, and whether it arrives together with
  // the previous change.
  const delivery = fc.record({
    reader: fc.nat(5),
    version: fc.integer({ min: 1, max: 4 }),
    process: mostlyOne,
    together: fc.boolean(),
    /**
     * Another reader's like that is decided now, and that either process may have committed first.
     */
    decided: fc.option(fc.record({ faster: fc.option(fc.nat(1)), isTakenBack: fc.boolean(), isFirst: fc.boolean() })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 40 }), async (deliveries) => {
      const likeableId = `Book:goodreads-${randomInt(10 ** 12)}`;
      const processes = [groupCommitOf(cassandra), groupCommitOf(cassandra)];
      const newest = new Map<string, Change>();
      let together: Promise<unknown>[] = [];
      for (const { reader, version, process, together: isTogether, decided } of deliveries) {
        if (!isTogether) await Promise.all(together.splice(0));
        const userId = readers[reader]!;
        // Odd versions are likes, and even ones are unlikes. All of them are about the same like.
        const change = {
          userId,
          version,
          likedAt: new Date(1_000 + reader),
          shown: version % 2 === 1 ? SHOWN : undefined,
        };
        if ((newest.get(userId)?.version ?? 0) < version) newest.set(userId, change);
        together.push(processes[process]!.apply(likeableId, 0, change));
        if (decided === null) continue;

        const newSince = monotonicNow();
        const like = newLike(1_000 + newest.size);
        const last = decided.faster !== null && decided.isTakenBack ? takenBack(like) : like;
        newest.set(like.userId, last);
        if (decided.faster !== null) {
          const given = processes[decided.faster]!.apply(likeableId, 0, last);
          if (decided.isFirst) await given;
          together.push(given);
        }
        together.push(processes[process]!.apply(likeableId, 0, { ...like, newSince }));
      }
      await Promise.all(together);
      together = [];
      const likers = [...newest.values()].filter(({ shown }) => shown).map(({ userId }) => userId);
      const { rows } = await cassandra.client.execute(
        'SELECT user_id, liked, version FROM user_by_item WHERE likeable_id = ? AND shard = 0',
        [likeableId],
        { prepare: true },
      );
      const listed = rows.filter((row) => row['liked'] === true).map((row) => String(row['user_id']));
      expect(listed.toSorted()).toEqual(likers.toSorted());
      const published = await cassandra.client.execute(
        'SELECT like_count FROM like_counts WHERE likeable_id = ?',
        [likeableId],
        { prepare: true },
      );
      expect(published.first()['like_count']).toBe(likers.length);
    }),
    { numRuns: runs(30) },
  );
});

const newBook = () => `Book:goodreads-${randomInt(10 ** 12)}`;

/** Reads the public count of each shard. */
async function countsOf(likeableId: string): Promise<number[]> {
  const cql = 'SELECT like_count FROM like_counts WHERE likeable_id = ?';
  const { rows } = await cassandra.client.execute(cql, [likeableId], { prepare: true });
  return rows.map((row) => row['like_count'] as number);
}

const shardOf = async (likeableId: string, shard = 0) => {
  const answer = await cassandra.client.execute(
    `SELECT DISTINCT likeable_id, shard, shard_version, like_count, row_count, closed FROM user_by_item
       WHERE likeable_id = ? AND shard = ?`,
    [likeableId, shard],
    { prepare: true },
  );
  return answer.first();
};

test('changes that arrive at the same moment are one write', async () => {
  const likeableId = newBook();
  const commit = groupCommitOf(cassandra);
  await Promise.all(Array.from({ length: 100 }, (_, index) => commit.apply(likeableId, 0, newLike(index + 1))));
  expect(await shardOf(likeableId)).toMatchObject({ shard_version: 1, like_count: 100 });
});

test('a full shard closes permanently and opens the next one, without changing its count', async () => {
  const likeableId = newBook();
  const commit = groupCommitOf(cassandra, 3);
  const likes = [1, 2, 3].map(newLike);
  for (const like of likes.slice(0, 2)) await commit.apply(likeableId, 0, like);
  // The same row is written once more.
  await commit.apply(likeableId, 0, { ...likes[0]!, version: 2 });
  expect(await shardOf(likeableId)).toMatchObject({ shard_version: 3, row_count: 2, closed: false });
  expect(await countsOf(likeableId)).toEqual([2]);
  await commit.apply(likeableId, 0, likes[2]!);
  expect(await shardOf(likeableId)).toMatchObject({ row_count: 3, closed: true });
  expect(await countsOf(likeableId)).toEqual([3, 0]);
  await commit.apply(likeableId, 1, newLike(4));
  await commit.apply(likeableId, 0, takenBack(likes[1]!));
  expect(await countsOf(likeableId)).toEqual([2, 1]);
  // A server with another setting does not open the shard again.
  await groupCommitOf(cassandra).apply(likeableId, 0, takenBack(likes[2]!));
  expect(await shardOf(likeableId)).toMatchObject({ row_count: 3, closed: true });
  // The count is deleted with the last like of a shard, and written again for a like that had
  // chosen the shard before.
  await commit.apply(likeableId, 0, { ...takenBack(likes[0]!), version: 3 });
  expect(await countsOf(likeableId)).toEqual([1]);
  await commit.apply(likeableId, 0, newLike(5));
  expect(await countsOf(likeableId)).toEqual([1, 1]);
});

describe('a process', () => {
  test('that gets no answer to its batch has committed it once', async () => {
    const likeableId = newBook();
    let isHeard = false;
    const deaf = intercepted(cassandra, async ({ cql, send }) => {
      const result = await send();
      if (!cql.includes(' IF ') || isHeard) return result;
      isHeard = true;
      throw new errors.OperationTimedOutError('no answer');
    });
    await groupCommitOf(deaf).apply(likeableId, 0, newLike(1));
    expect(await shardOf(likeableId)).toMatchObject({ shard_version: 1, like_count: 1, row_count: 1 });
  });

  test('that reads an old state fails by its condition, reads again, and delays no other commit', async () => {
    const likeableId = newBook();
    await groupCommitOf(cassandra).apply(likeableId, 0, newLike(1));
    let [isBehind, serialReads] = [true, 0];
    const behind = intercepted(cassandra, async ({ cql, options, send }) => {
      const result = await send();
      if (!cql.startsWith('SELECT')) {
        isBehind = false;
        return result;
      }
      if (options.consistency === types.consistencies.serial) serialReads++;
      // The result equals that of a majority that does not have the shard yet; after a conditional
      // write no majority returns it.
      return isBehind ? ({ rows: [] } as unknown as types.ResultSet) : result;
    });
    await groupCommitOf(behind).apply(likeableId, 0, newLike(2));
    expect(serialReads).toBe(0);
    expect(await shardOf(likeableId)).toMatchObject({ shard_version: 2, like_count: 2, row_count: 2 });
  });

  test('that makes every commit to a shard stops reading it, until another process commits', async () => {
    const likeableId = newBook();
    let reads = 0;
    const watched = intercepted(cassandra, ({ cql, send }) => {
      if (cql.startsWith('SELECT')) reads++;
      return send();
    });
    const commit = groupCommitOf(watched);
    let second = 0;
    const likesAnew = () => commit.apply(likeableId, 0, decidedLike(++second));
    const readsOf = async (work: () => Promise<unknown>) => {
      const before = reads;
      await work();
      return reads - before;
    };
    const likesUntilAlone = async () => {
      // The first one does not know who committed before it.
      for (let commits = 0; commits <= ALONE_COMMITS; commits++) expect(await readsOf(likesAnew)).toBe(1);
      expect(await readsOf(likesAnew)).toBe(0);
    };
    await likesUntilAlone();
    const like = decidedLike(++second);
    expect(await readsOf(() => commit.apply(likeableId, 0, like))).toBe(0);
    expect(await readsOf(() => commit.apply(likeableId, 0, takenBack(like)))).toBe(0);
    // A like that may already exist is not known, so it is read first.
    const older = newLike(++second);
    expect(await readsOf(() => commit.apply(likeableId, 0, older))).toBe(1);
    expect(await readsOf(likesAnew)).toBe(0);

    await groupCommitOf(cassandra).apply(likeableId, 0, newLike(++second));
    await likesUntilAlone();
    expect(await countsOf(likeableId)).toEqual([11]);
  });

  test.each(['that its reader took back', 'that is still there'])(
    'knows nothing of a like %s that somebody else committed before it was alone in the shard',
    async (what) => {
      const likeableId = newBook();
      const [commit, other] = [groupCommitOf(cassandra), groupCommitOf(cassandra)];
      const like = decidedLike(1);
      const isTakenBack = what === 'that its reader took back';
      if (isTakenBack) await commit.apply(likeableId, 0, like);
      const last = isTakenBack ? takenBack(like) : like;
      await other.apply(likeableId, 0, { ...last, newSince: undefined });

      const others = Array.from({ length: 10 }, (_, index) => index + 2);
      for (const second of others) await commit.apply(likeableId, 0, decidedLike(second));
      await commit.apply(likeableId, 0, last);
      expect(await shardOf(likeableId)).toMatchObject({ like_count: isTakenBack ? 10 : 11, row_count: 11 });
    },
  );

  test('that publishes its count late answers only after that, and does not overwrite a newer count', async () => {
    const likeableId = newBook();
    const held = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    const slow = intercepted(cassandra, async ({ cql, send }) => {
      if (cql.startsWith('INSERT INTO like_counts')) {
        reached.resolve(undefined);
        await held.promise;
      }
      return send();
    });
    let isAnswered = false;
    const answer = groupCommitOf(slow)
      .apply(likeableId, 0, newLike(1))
      .then(() => {
        isAnswered = true;
      });
    await reached.promise;
    await groupCommitOf(cassandra).apply(likeableId, 0, newLike(2));
    expect(isAnswered).toBe(false);
    expect(await countsOf(likeableId)).toEqual([2]);
    held.resolve(undefined);
    await answer;
    expect(await countsOf(likeableId)).toEqual([2]);
  });

  test.each([
    ['the first shard before', 0, true],
    ['another shard only after', 1, false],
  ])('has committed to %s its count is public: jobs look there by the counts', async (_when, shard, isBefore) => {
    const likeableId = newBook();
    const [reached, held] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const slow = intercepted(cassandra, async ({ cql, send }) => {
      if (cql.startsWith('INSERT INTO like_counts')) {
        reached.resolve(undefined);
        await held.promise;
      }
      return send();
    });
    let isCommitted = false;
    const commit = groupCommitOf(slow).commit(likeableId, shard, newLike(1));
    const noted = commit.then(() => {
      isCommitted = true;
    });
    await reached.promise;
    await new Promise(setImmediate);
    expect(isCommitted).toBe(isBefore);

    held.resolve(undefined);
    await noted;
    await (
      await commit
    ).published;
    expect(await countsOf(likeableId)).toEqual([1]);
  });

  test('that dies before its count is published: a repetition of the change publishes it', async () => {
    const likeableId = newBook();
    const dying = intercepted(cassandra, ({ cql, send }) =>
      cql.startsWith('INSERT INTO like_counts') ? Promise.reject(new errors.OperationTimedOutError('died')) : send(),
    );
    const like = newLike(1);
    await expect(groupCommitOf(dying).apply(likeableId, 0, like)).rejects.toThrow('died');
    expect(await countsOf(likeableId)).toEqual([]);
    await groupCommitOf(cassandra).apply(likeableId, 0, like);
    expect(await countsOf(likeableId)).toEqual([1]);
  });
});

describe('a like that was taken back', () => {
  /**
   * Reads the likers and former likers of a shard, without the one that keeps the static columns.
   */
  async function rowsOf(likeableId: string) {
    const { rows } = await cassandra.client.execute(
      `SELECT liked, user_id, version, full_name, audience, TTL(version) AS kept_seconds, row_count, like_count
       FROM user_by_item WHERE likeable_id = ? AND shard = 0`,
      [likeableId],
      { prepare: true },
    );
    return rows.filter((row) => row['version'] !== 0);
  }

  test('is no longer among the likers; only its version is known, for a day', async () => {
    const likeableId = newBook();
    const commit = groupCommitOf(cassandra);
    const like = newLike(1);
    await commit.apply(likeableId, 0, like);
    await commit.apply(likeableId, 0, takenBack(like));
    const [row, ...others] = await rowsOf(likeableId);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ liked: false, version: 2, full_name: null, audience: null });
    expect(row?.['kept_seconds']).toBeLessThanOrEqual(86_400);
    expect(row?.['kept_seconds']).toBeGreaterThan(86_000);
  });

  test('is not restored by a late repetition, even if the like arrives after its removal', async () => {
    const likeableId = newBook();
    const commit = groupCommitOf(cassandra);
    const [like, late] = [newLike(1), newLike(2)];
    await commit.apply(likeableId, 0, like);
    await commit.apply(likeableId, 0, takenBack(like));
    await commit.apply(likeableId, 0, like);
    await commit.apply(likeableId, 0, takenBack(late));
    await commit.apply(likeableId, 0, late);
    expect(await rowsOf(likeableId)).toMatchObject([
      { liked: false, version: 2, row_count: 2, like_count: 0 },
      { liked: false, version: 2, row_count: 2, like_count: 0 },
    ]);
    expect(await countsOf(likeableId)).toEqual([0]);
  });
});
