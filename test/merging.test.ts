import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { audit } from '../src/audit/audit.ts';
import { ActionsInBulk } from '../src/activity/bulk.ts';
import { doJobsOf, jobsOf } from '../src/jobs/operations.ts';
import { likes } from '../src/likes/aggregate.ts';
import { loadLikes } from '../src/likes/bulk.ts';
import { like, unlike } from '../src/likes/operations.ts';
import { likeAudit } from '../src/likes/audit.ts';
import { likeCounts } from '../src/likers/loaders.ts';
import { mergeLikers } from '../src/likers/merge.ts';
import { moveLike } from '../src/likes/repair.ts';
import { nextMerge } from '../src/likers/merge-plan.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { as, expectLikedBy, idsOf, likedBook, likersOf, makeReaders } from './support/likers.ts';
import { ownBooks } from './support/books.ts';

/** Shards with few likes are merged once many likers of a thing have become few. */

const ROWS_MAX = 8;
const READERS = 30;

let server: TestServer;
let other: TestServer;
let id: string;
let readers: string[];

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment({ LIKE_SHARD_ROWS_MAX: String(ROWS_MAX) }));
  server = await startServer(config);
  other = await startServer(config);
});

beforeEach(async () => {
  ({ id, readers } = await likedBook(server.app, READERS));
});

const bookId = () => keyOf(id);
const countsNow = () => likeCounts(server.app).load(storedIdOf(id));
const book = () => ({ type: 'Book' as const, key: bookId() });
/** Does the job that an unlike has begun. */
const merge = async () => {
  await expect.poll(() => jobsOf(server.app, book())).toMatchObject([{ kind: 'MERGE' }]);
  while ((await jobsOf(server.app, book())).length > 0) await doJobsOf(server.app, book());
};
/** Lets all likers but those at some places take their likes back. */
async function keepOnly(kept: readonly number[]): Promise<string[]> {
  const gone = readers.filter((_, index) => !kept.includes(index));
  for (const userId of gone) await unlike(as(server.app, userId), { id });
  return kept.map((index) => readers[index] ?? '');
}
const expectLiked = (by: readonly string[], isExact = true) =>
  expectLikedBy(
    [server, other],
    id,
    by,
    [
      [50, 'forward'],
      [2, 'forward'],
      [2, 'backward'],
    ],
    isExact,
  );
const statesOf = (userIds: readonly string[]) =>
  Promise.all(userIds.map((userId) => likes.read(server.app, { userId, likeableId: storedIdOf(id) })));

test('likes in bulk fill shards, so that none is too large and none needs a merge', async () => {
  const [liked = ''] = await ownBooks(server.app, 1);
  const likeableId = storedIdOf(liked);
  const likedAt = new Date(Date.now() - 500);

  for (const count of [20, 9, 1]) {
    const some = await makeReaders(server.app, count);
    const ofThem = some.map((userId) => ({ userId, fullName: 'R', likeableId, title: 'T', authors: [], likedAt }));
    await loadLikes(server.app, ofThem, new ActionsInBulk());
  }

  const counts = await likeCounts(server.app).load(likeableId);
  expect(counts?.likeCount).toBe(30);
  expect(counts?.isScattered).toBe(false);
  const { rows } = await server.app.cassandra.client.execute(
    'SELECT shard, like_count FROM like_counts WHERE likeable_id = ?',
    [likeableId],
  );
  expect(rows.map(({ like_count: count }) => count as number)).toEqual([8, 8, 5, 8, 1]);
});

describe('consecutive shards with few likes left', () => {
  test('are merged by a job that an unlike begins, into the open one; order, count and tally stay', async () => {
    const left = await keepOnly([1, 6, 9, 14, 17, 29]);
    expect((await countsNow())?.shards.length).toBe(4);
    await expect.poll(() => jobsOf(server.app, book())).toMatchObject([{ kind: 'MERGE' }]);
    // The tally is unknown during the merge.
    await expectLiked(left, false);

    const before = await statesOf(left);
    await merge();
    expect((await countsNow())?.shards.length).toBeLessThanOrEqual(2);
    await expectLiked(left);
    // Nobody has changed anything.
    const same = (states: typeof before) =>
      states.map((state) => [state?.liked_at, state?.changed_at, state?.change_id, state?.former_shard]);
    expect(same(await statesOf(left))).toEqual(same(before));
  });

  test('and earlier cursors neither skip nor repeat', async () => {
    const left = await keepOnly([1, 6, 9, 14, 17, 29]);
    const { edges } = (await likersOf(server, id)('first: 10')) as { edges: { cursor: string }[] };
    await merge();
    for (const [index, { cursor }] of edges.entries()) {
      const behind = (await likersOf(server, id)(`first: 10, after: "${cursor}"`)).edges;
      expect(idsOf(behind)).toEqual(left.toReversed().slice(index + 1));
      const ahead = (await likersOf(server, id)(`last: 10, before: "${cursor}"`)).edges;
      expect(idsOf(ahead)).toEqual(left.toReversed().slice(0, index));
    }
  });

  test('and moved likes are taken back, liked anew and audited as any other', async () => {
    const left = await keepOnly([1, 6, 9, 14, 17, 29]);
    await merge();
    const [gone = '', again = '', ...rest] = left;
    await unlike(as(other.app, gone), { id });
    await unlike(as(other.app, again), { id });
    await expectLiked(rest);
    await like(as(server.app, again), { id });
    await expectLiked([...rest, again]);

    const quick = { ...server.app, cassandra: { ...server.app.cassandra, backOff: () => Promise.resolve() } };
    for await (const { drift, unreadable } of audit(quick, [likeAudit], { likeableId: storedIdOf(id) }, false))
      expect({ drift, unreadable }).toEqual({ drift: [], unreadable: [] });
  });

  test('while two servers merge them and likes change: none is lost or doubled', async () => {
    const left = await keepOnly([1, 6, 9, 14, 17, 29]);
    const [gone = '', again = '', ...rest] = left;
    const work = async (by: TestServer) => {
      for (let position: string | undefined = ''; position !== undefined;)
        position = await mergeLikers(moveLike)(by.app, bookId(), position, `Book:${bookId()}`);
    };
    await Promise.all([
      work(server),
      work(other),
      unlike(as(other.app, gone), { id }),
      unlike(as(server.app, again), { id }).then(() => like(as(other.app, again), { id })),
    ]);
    await merge();
    await expectLiked([...rest, again]);
  });
});

describe('the shards to merge', () => {
  const fill = (shard: number, likeCount: number, rowCount = likeCount) => ({ shard, likeCount, rowCount });
  const next = (fills: ReturnType<typeof fill>[], newest: number) => nextMerge(fills, newest, 40_000);

  test('are stripes, merged into an earlier one of their block', () => {
    expect(next([fill(64, 5), fill(70, 10), fill(90, 10)], 90)).toEqual({ from: 90, to: 64 });
    expect(next([fill(70, 10), fill(64, 0)], 127)).toEqual({ from: 70, to: 64 });
    // The first one has no room.
    expect(next([fill(64, 15_000), fill(70, 9_000), fill(90, 9_000)], 90)).toEqual({ from: 90, to: 70 });
  });

  test('are a shard and the next one, if that has room for the likes and for the rows', () => {
    expect(next([fill(0, 100, 40_000), fill(1, 5)], 1)).toEqual({ from: 0, to: 1 });
    // The shard may be open by name alone.
    expect(next([fill(0, 100, 40_000)], 1)).toEqual({ from: 0, to: 1 });
    expect(next([fill(0, 10_001, 40_000), fill(1, 5)], 1)).toBeUndefined();
    expect(next([fill(0, 100, 40_000), fill(1, 19_901)], 1)).toBeUndefined();
    expect(next([fill(0, 100, 40_000), fill(1, 40_000), fill(2, 5)], 2)).toBeUndefined();
    expect(next([fill(0, 100, 40_000), fill(1, 10_001, 44_900), fill(2, 5)], 2)).toEqual({ from: 0, to: 1 });
    expect(next([fill(0, 100, 40_000), fill(1, 10_001, 44_901), fill(2, 5)], 2)).toBeUndefined();
  });

  test('are the last stripe of a block and the next block, and never an open one', () => {
    expect(next([fill(64, 5_000), fill(70, 16_000), fill(128, 1)], 128)).toBeUndefined();
    expect(next([fill(64, 5_000), fill(128, 1)], 128)).toEqual({ from: 64, to: 128 });
    expect(next([fill(64, 5)], 64)).toBeUndefined();
  });

  test('are none once each has enough', () => {
    let fills = Array.from({ length: 64 }, (_, index) => fill(64 + index, 2_000));
    for (let merged = next(fills, 127); merged; merged = next(fills, 127)) {
      const { from, to } = merged;
      const moved = fills.find(({ shard }) => shard === from)?.likeCount ?? 0;
      fills = fills
        .filter(({ shard }) => shard !== from)
        .map((each) => (each.shard === to ? fill(to, each.likeCount + moved) : each));
    }
    expect(fills).toHaveLength(7);
  });
});
