import { types } from 'cassandra-driver';
import { insertAction, insertActionByKind } from '../../src/activity/tables.ts';
import { yearOf } from '../../src/activity/log.ts';
import { monthOf } from '../../src/time/months.ts';
import { selectUsers } from '../../src/identity/tables.ts';
import { selectBooks } from '../../src/catalogue/tables.ts';
import { KEPT_MS } from '../../src/events/operations.ts';
import { insertEvent } from '../../src/events/tables.ts';
import { windowOf } from '../../src/events/windows.ts';
import { SENTINEL } from '../../src/likers/shard.ts';
import {
  openShard,
  selectCounts,
  selectShardRows,
  updateCount,
  updateFormerLiker,
  updateLiker,
  updateShard,
} from '../../src/likers/tables.ts';
import { likedItems } from '../../src/likes/tables.ts';
import { say } from '../../src/terminal/progress.ts';
import { insertEntry, WRITTEN } from '../../src/transactions/tables.ts';
import { inTurns, LIKE, likeableIdOf, makeReaders, measure, withBench, type Bench, type Reader } from '../bench.ts';
import { ask } from '../http.ts';

const SECONDS = 6;
const ROUNDS = 3;
const READERS = 2_000;
const AT_ONCE = [16, 64];
/** The incarnation that the bare driver's log entries belong to. */
const INCARNATION = types.Uuid.random();

/**
 * Compares `like` through HTTP and GraphQL with the bare driver that sends the same statements with
 * the same values.
 */
export const benchDriver = (nodes: 1 | 3) => () =>
  withBench(nodes, async (bench) => {
    const { url } = await bench.startServer();
    const readers = await makeReaders(bench.app, READERS);
    const next = pairs(bench, readers);
    const like = () => {
      const { reader, id } = next();
      return ask(url, reader.token, LIKE, { id });
    };
    const bare = () => {
      const { reader, id } = next();
      return likeByDriver(bench, reader.userId, likeableIdOf(id));
    };
    // Three cold JVMs on few cores take long to warm up.
    for (const work of [like, bare]) await measure({ seconds: 15 * nodes, atOnce: 32 }, work);
    for (const atOnce of AT_ONCE) {
      const measured = await inTurns(ROUNDS, {
        like: () => measure({ seconds: SECONDS, atOnce }, like),
        'bare driver': () => measure({ seconds: SECONDS, atOnce }, bare),
      });
      const ratio = measured.like.rate / measured['bare driver'].rate;
      say(
        `${nodes} node${nodes > 1 ? 's' : ''}, ${atOnce} at once: like ${measured.like.rate.toFixed(0)}/s, ${ratio.toFixed(2)} × the bare driver`,
      );
    }
  });

/**
 * The statement as the product declares it, see `likeStates`. The values here are the driver's own.
 */
const updateLike = {
  cql: `UPDATE likes_by_user USING TTL :ttl_seconds SET state = :next
        WHERE user_id = :user_id AND likeable_id = :likeable_id IF state = :current`,
};

/**
 * Yields every pair of a reader and a book once: nobody likes a likeable twice, and no likeable is
 * hot.
 */
function pairs({ bookIds }: Bench, readers: readonly Reader[]) {
  let count = 0;
  return (): { reader: Reader; id: string } => {
    const reader = readers[count % readers.length];
    const id = bookIds[(count * 7 + Math.floor(count / readers.length)) % bookIds.length];
    count++;
    if (!reader || id === undefined) throw new Error('there are no readers or books');
    return { reader, id };
  };
}

/**
 * Sends the statements of a first like, of a likeable that few like, by the driver alone: those of
 * docs/queries.md, and the read of the shard if somebody likes it already. Statements that need not
 * wait for each other are sent together.
 */
async function likeByDriver({ app }: Bench, userId: string, likeableId: string): Promise<void> {
  const { client, serialConsistency } = app.cassandra;
  const prepared = { prepare: true, isIdempotent: true };
  const conditional = { prepare: true, serialConsistency };
  const run = (of: { cql: string }, values: Record<string, unknown>, options: object = prepared) =>
    client.execute(of.cql, values, options);
  const user_id = types.Uuid.fromString(userId);
  const book_ids = [likeableId.replace('Book:', '')];
  const now = new Date();
  await Promise.all([run(selectBooks, { book_ids }), run(selectCounts, { likeable_ids: [likeableId] })]);

  const entry = {
    incarnation: INCARNATION,
    tick: Math.floor(performance.now() / 1_000),
    transaction_id: types.Uuid.random(),
  };
  const payload = JSON.stringify({ userId, likeableId });
  await run(insertEntry, { ...entry, kind: 'like', payload, begun_at: now, version: WRITTEN });
  const next = {
    liked: true,
    version: 1,
    liked_at: now,
    changed_at: now,
    change_id: types.Uuid.random(),
    shard: 0,
    hour_began: now,
    hour_likes: 1,
  };
  await run(updateLike, { user_id, likeable_id: likeableId, current: null, next, ttl_seconds: 0 }, conditional);

  const key = { likeable_id: likeableId, shard: 0 };
  const keeper = types.Uuid.fromString(SENTINEL.user_id);
  const positions = [types.Tuple.fromArray([SENTINEL.liked_at, keeper]), types.Tuple.fromArray([now, user_id])];
  const [, found] = await Promise.all([
    run(selectUsers, { user_ids: [user_id] }),
    run(selectShardRows, { ...key, slices: [true, false], positions }),
  ]);
  const version = ((found.rows[0]?.['shard_version'] as number | undefined) ?? 0) + 1;
  const likeCount = ((found.rows[0]?.['like_count'] as number | undefined) ?? 0) + 1;
  const columns = { next_version: version, like_count: likeCount, row_count: likeCount, closed: false, summed: false };
  const liker = { liked_at: now, user_id, liked: true, version: 1, full_name: 'Somebody', audience: 'EVERYONE' };
  const shard =
    version > 1
      ? [{ query: updateShard.cql, params: { ...key, ...columns, current_version: version - 1 } }]
      : [
          { query: openShard.cql, params: { ...key, ...columns } },
          { query: updateFormerLiker.cql, params: { ...key, ...SENTINEL, user_id: keeper } },
        ];
  const likers = [...shard, { query: updateLiker.cql, params: { ...key, ...liker } }];
  await client.batch(likers, { ...conditional, logged: false });

  await run(selectBooks, { book_ids });
  const item = { user_id, year: yearOf(now), liked_at: now, likeable_id: likeableId, title: 'A title', version: 1n };
  const action = { user_id, at: now, kind: 'LIKED', subject_id: likeableId, element: '' };
  const minute = new Date(windowOf('MINUTE', now.getTime()));
  const event = { minute, shard: 0, subject_id: likeableId, kind: 'LIKE', event_id: entry.transaction_id, at: now };
  await client.batch(
    [
      { query: likedItems.insert.cql, params: item },
      { query: insertAction.cql, params: { ...action, month: monthOf(now) } },
      { query: insertActionByKind.cql, params: { ...action, year: yearOf(now) } },
      { query: updateCount.cql, params: { ...key, like_count: likeCount, shard_version: BigInt(version) } },
      { query: insertEvent.cql, params: { ...event, version: 1n, ttl_seconds: KEPT_MS / 1_000 } },
    ],
    { ...prepared, logged: false },
  );
}
