import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Cassandra } from '../src/cassandra/statement.ts';
import { connectCassandra } from '../src/cassandra/client.ts';
import { GroupCommit, type Change } from '../src/likes/group-commit.ts';
import { sharedKeyspace } from './support/app.ts';

let cassandra: Cassandra;

beforeAll(async () => {
  cassandra = await connectCassandra((await sharedKeyspace()).cassandra);
  return () => cassandra.client.shutdown();
});

test('changes given in any order, any number of times, by two processes at once: each like is at its newest version', async () => {
  const readers = Array.from({ length: 6 }, () => randomUUID());
  // Which change of which reader is given next, to which of two processes, and whether together with the one before.
  const delivery = fc.record({
    reader: fc.nat(5),
    version: fc.integer({ min: 1, max: 4 }),
    process: fc.nat(1),
    together: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 40 }), async (deliveries) => {
      const likeableId = `Book:goodreads-${randomInt(10 ** 12)}`;
      const processes = [new GroupCommit(cassandra, 1_000), new GroupCommit(cassandra, 1_000)];
      const newest = new Map<string, Change>();
      let together: Promise<void>[] = [];
      for (const { reader, version, process, together: isTogether } of deliveries) {
        if (!isTogether) await Promise.all(together.splice(0));
        const userId = readers[reader]!;
        // Odd versions like, even ones take back; all of them speak of the same like.
        const change = {
          userId,
          fullName: 'Somebody',
          liked: version % 2 === 1,
          version,
          likedAt: new Date(1_000 + reader),
        };
        if ((newest.get(userId)?.version ?? 0) < version) newest.set(userId, change);
        together.push(processes[process]!.apply(likeableId, 0, change));
      }
      await Promise.all(together);
      together = [];
      const likers = [...newest.values()].filter(({ liked }) => liked).map(({ userId }) => userId);
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
    { numRuns: 30 },
  );
});

test('changes that are given at the same moment are one write', async () => {
  const likeableId = 'Book:goodreads-together';
  const commit = new GroupCommit(cassandra, 1_000);
  const change = (second: number): Change => ({
    userId: randomUUID(),
    fullName: 'Somebody',
    liked: true,
    version: 1,
    likedAt: new Date(1_000 * second),
  });
  await Promise.all(Array.from({ length: 100 }, (_, index) => commit.apply(likeableId, 0, change(index + 1))));
  const { rows } = await cassandra.client.execute(
    'SELECT DISTINCT likeable_id, shard, shard_version, like_count FROM user_by_item WHERE likeable_id = ? AND shard = 0',
    [likeableId],
    { prepare: true },
  );
  expect(rows).toMatchObject([{ shard_version: 1, like_count: 100 }]);
});
