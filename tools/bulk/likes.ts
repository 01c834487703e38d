import type { ActionsInBulk } from './actions.ts';
import { feedMonthWrites } from '../../src/activity/feed-months.ts';
import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { batch, rows } from '../../src/cassandra/statement.ts';
import type { AppContext } from '../../src/context/context.ts';
import { recordEvent } from '../../src/events/operations.ts';
import { uuidOf } from '../../src/graphql/ids.ts';
import { inBulk } from '../../src/bulk-import/in-bulk.ts';
import { likeCounts } from '../../src/member-sets/counts.ts';
import { nextShard } from '../../src/member-sets/numbering.ts';
import { groupCommit } from '../../src/member-sets/operations.ts';
import { versioned } from '../../src/aggregates/state.ts';
import { decideMany } from './decide.ts';
import { byLikedAt, likeEvent, UNCOUNTED } from '../../src/likes/aggregate.ts';
import { likeStates, selectLikesAmong, type LikeState } from '../../src/likes/tables.ts';

/**
 * Loads many likes at once. Each has the effects of a like; the writes are grouped by partition.
 */

/** A like from the past. */
export interface FormerLike {
  readonly userId: string;
  readonly fullName: string;
  readonly likeableId: string;
  readonly title: string;
  /** The authors of a book; none for a copy. */
  readonly authors: readonly string[];
  readonly likedAt: Date;
}

/**
 * Makes readers like books and copies at moments in the past. A reader who already likes one, or
 * took that back, keeps their state. It is not a transaction: an interrupted load must be repeated,
 * and then writes only what is missing.
 * @param activityLog gets the readers' actions, for the caller to write
 */
export async function loadLikes(
  app: AppContext,
  likes: readonly FormerLike[],
  activityLog: ActionsInBulk,
): Promise<void> {
  const shards = new Map<FormerLike, number>();
  const likesOf = Map.groupBy(likes, ({ likeableId }) => likeableId);
  await inBulk(app, keysInParts([...likesOf.keys()]), async (likeableIds) => {
    for (const [likeableId, shardOf] of await placesInBulk(app, likeableIds))
      for (const [index, like] of likesOf.get(likeableId)?.entries() ?? []) shards.set(like, shardOf(index));
  });
  const byReader = Map.groupBy(likes, ({ userId }) => userId);
  const decided = await inBulk(app, byReader, ([userId, ofReader]) =>
    likeAll(app, userId, ofReader, shards, activityLog),
  );
  // Likes of the same shard are committed together.
  const byLikeable = Map.groupBy(decided.flat(), ({ likeableId, state }) => `${state.shard} ${likeableId}`);
  await inBulk(app, byLikeable.values(), (ofLikeable) =>
    Promise.all(
      ofLikeable.map(({ likeableId, userId, fullName, likedAt, state: { shard, version } }) =>
        // Accounts that were made in bulk show their likes to everyone.
        groupCommit(app).apply(likeableId, shard, {
          userId,
          version,
          likedAt,
          shown: { fullName, audience: 'EVERYONE' },
        }),
      ),
    ),
  );
}

interface DecidedLike extends FormerLike {
  readonly state: LikeState;
}

/** Decides the likes of one reader, and writes them to the reader's lists. */
async function likeAll(
  app: AppContext,
  userId: string,
  likes: readonly FormerLike[],
  shards: ReadonlyMap<FormerLike, number>,
  activityLog: ActionsInBulk,
): Promise<DecidedLike[]> {
  const { cassandra } = app;
  const changeIdOf = (likeableId: string) => uuidOf(`like in bulk ${userId} ${likeableId}`);
  const wanted = new Map(
    likes.map((like): [string, LikeState] => {
      const { likeableId, likedAt } = like;
      const values = { liked: true, liked_at: likedAt, shard: shards.get(like) ?? 0, former_shard: null, ...UNCOUNTED };
      const version = { version: 1, changed_at: likedAt, change_id: changeIdOf(likeableId) };
      return [likeableId, versioned(values, version)];
    }),
  );
  const states = await decideMany(
    app,
    wanted,
    (likeable_id, next) => likeStates.bind({ user_id: userId, likeable_id }, null, next),
    async (likeable_ids) => {
      const found = await rows(cassandra, selectLikesAmong, { user_id: userId, likeable_ids });
      return new Map(found.map(({ likeable_id, state }) => [likeable_id, state]));
    },
  );
  const decided = likes.flatMap((like): DecidedLike[] => {
    const state = states.get(like.likeableId);
    // Another call projects the likes that it has decided.
    if (!state?.liked_at || state.change_id !== changeIdOf(like.likeableId)) return [];
    return [{ ...like, likedAt: state.liked_at, state }];
  });
  const items = decided.flatMap((like) =>
    byLikedAt.writes(like, like.state, { shown: { title: like.title, authors: [...like.authors] } }),
  );
  const moments = decided.map(({ likedAt }) => likedAt);
  const byPartition = Map.groupBy([...items, ...feedMonthWrites(userId, moments)], ({ params }) => params['year']);
  await Promise.all([
    ...[...byPartition.values()].map((writes) => batch(cassandra, writes)),
    ...decided.map((like) => recordEvent(app, likeEvent(like, like.likedAt, like.state.version, true))),
  ]);
  activityLog.add(
    userId,
    decided.map(({ likeableId, likedAt }) => ({ kind: 'LIKED', at: likedAt, subject: likeableId })),
  );
  return decided;
}

/**
 * The maximum number of likes of one likeable that a bulk load adds to its newest shard, as a share
 * of a full shard. The newest shard may be nearly full already, and can exceed its size by this
 * many rows.
 */
const MORE_IN_BULK = 1 / 8;

/**
 * Finds the shards for many new likes of some likeables.
 * @returns by likeable, a function from the index of a new like, from 0, to its shard
 */
async function placesInBulk(
  app: AppContext,
  likeableIds: readonly string[],
): Promise<Map<string, (index: number) => number>> {
  const counts = await likeCounts(app).loadMany([...likeableIds]);
  return new Map(
    likeableIds.map((likeableId, place) => {
      const found = counts[place];
      if (found instanceof Error) throw found;

      const rowsMax = app.config.likeShardRowsMax;
      const toNewest = found ? Math.max(1, rowsMax * MORE_IN_BULK) : rowsMax;
      const newest = found?.newestShard ?? 0;
      return [likeableId, (index) => later(newest, Math.max(0, Math.ceil((index + 1 - toNewest) / rowsMax)))];
    }),
  );
}

/** Returns the shard that opens after a number of others are full. */
const later = (shard: number, fills: number): number => (fills === 0 ? shard : later(nextShard(shard), fills - 1));
