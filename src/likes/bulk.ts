import type { ActionsInBulk } from '../activity/bulk.ts';
import { keysInParts } from '../cassandra/row-loader.ts';
import { batch, bind, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { recordFormerEvents } from '../events/operations.ts';
import { uuidOf } from '../graphql/ids.ts';
import { inBulk } from '../imports/in-bulk.ts';
import { versioned } from '../aggregates/aggregate.ts';
import { decideMany } from '../aggregates/bulk.ts';
import { itemOf, likeEvent, UNCOUNTED } from './aggregate.ts';
import { likedItems, likeStates, selectLikesAmong, type LikeState } from './tables.ts';
import { groupCommit } from './group-commit.ts';
import { likeCounts } from './loaders.ts';
import { nextShard } from './shards.ts';

/** Likes in bulk: what one like does, for many at once, written together by partition. */

/** So many likes of one likeable are decided for one shard, which may be nearly full already; the next go into the next one. */
const LIKES_OF_A_SHARD_AT_ONCE = 2_000;

/** A like of before. */
export interface FormerLike {
  readonly userId: string;
  readonly fullName: string;
  readonly likeableId: string;
  readonly title: string;
  readonly likedAt: Date;
}

/**
 * Makes readers like books and copies at moments of before. A reader who already likes one, or took that back, keeps what
 * they have. It is no transaction: one that is interrupted must be repeated, and then changes only what is missing.
 * @param activityLog gets what they did, for the caller to write
 */
export async function loadLikes(
  app: AppContext,
  likes: readonly FormerLike[],
  activityLog: ActionsInBulk,
): Promise<void> {
  const shards = new Map<FormerLike, number>();
  const likesOf = Map.groupBy(likes, ({ likeableId }) => likeableId);
  await inBulk(app, keysInParts([...likesOf.keys()]), async (likeableIds) => {
    const counts = await likeCounts(app).loadMany(likeableIds);
    for (const [index, likeableId] of likeableIds.entries()) {
      const count = counts[index];
      if (count instanceof Error) throw count;
      let shard = count?.newestShard ?? 0;
      for (const [place, like] of likesOf.get(likeableId)?.entries() ?? []) {
        if (place > 0 && place % LIKES_OF_A_SHARD_AT_ONCE === 0) shard = nextShard(shard);
        shards.set(like, shard);
      }
    }
  });
  const byReader = Map.groupBy(likes, ({ userId }) => userId);
  const decided = await inBulk(app, byReader, ([userId, ofReader]) =>
    likeAll(app, userId, ofReader, shards, activityLog),
  );
  // What is liked by several of them is counted together.
  const byLikeable = Map.groupBy(decided.flat(), ({ likeableId, shard }) => `${shard} ${likeableId}`);
  await inBulk(app, byLikeable.values(), (ofLikeable) =>
    Promise.all(
      ofLikeable.map(({ likeableId, shard, userId, fullName, version, likedAt }) =>
        groupCommit(app).apply(likeableId, shard, {
          userId,
          version,
          likedAt,
          // As it is of every account that was made in bulk.
          shown: { fullName, audience: 'EVERYONE' },
        }),
      ),
    ),
  );
}

interface DecidedLike extends FormerLike {
  readonly shard: number;
  readonly version: number;
}

/** Decides the likes of one reader, and brings their lists up to them. */
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
    // What others decided is followed by them.
    if (!state?.liked_at || state.change_id !== changeIdOf(like.likeableId)) return [];
    return [{ ...like, likedAt: state.liked_at, shard: state.shard, version: state.version }];
  });
  const items = decided.map((like) => ({ ...itemOf(like, like.likedAt, like.version), title: like.title }));
  const byYear = Map.groupBy(items, ({ year }) => year);
  await Promise.all([
    ...[...byYear.values()].map((ofYear) =>
      batch(
        cassandra,
        ofYear.map((item) => bind(likedItems.insert, item)),
      ),
    ),
    recordFormerEvents(
      app,
      decided.map((like) => likeEvent(like, like.likedAt, like.version, true)),
    ),
  ]);
  activityLog.add(
    userId,
    decided.map(({ likeableId, likedAt }) => ({ kind: 'LIKED', at: likedAt, subject: likeableId })),
  );
  return decided;
}
