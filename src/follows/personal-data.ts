import pLimit from 'p-limit';
import { isTombstone } from '../aggregates/state.ts';
import { pageOfShards } from '../cassandra/shards.ts';
import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { registeredAtOf } from '../identity/operations.ts';
import { eachLiker, eraseAllMembers } from '../member-sets/operations.ts';
import { yearsBetween } from '../time/ranges.ts';
import { followersId, forgetFollow } from './aggregate.ts';
import { recount } from './counts.ts';
import { eachOfSomeFollows } from './repair.ts';
import {
  eraseFollowerIds,
  eraseFollowing,
  eraseRequests,
  FOLLOWER_SHARDS,
  followerIds,
  selectFollows,
  selectRequests,
} from './tables.ts';

const FOLLOWERS_PER_PAGE = 200;
const FOLLOWERS_AT_ONCE = 16;

async function* followsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { followed_id, state } of each(cassandra, selectFollows, { user_id })) {
    if (isTombstone(state)) continue;
    const { followed, followed_at, requested, requested_at, changed_at } = state;
    yield {
      readerId: followed_id,
      followed,
      followedAt: followed_at,
      requested,
      requestedAt: requested_at,
      changedAt: changed_at,
    };
  }
}

/**
 * Yields the followers of a reader. A follower who does not show their likes to readers is unnamed.
 */
async function* followersOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for await (const { user_id, liked_at, audience } of eachLiker(app, followersId(userId))) {
    const isShown = audience === 'EVERYONE' || audience === 'SIGNED_IN';
    yield { readerId: isShown ? user_id : null, followedAt: liked_at };
  }
}

async function* requestsToUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const year of await everyYear(app, userId))
    for await (const { user_id, requested_at } of each(app.cassandra, selectRequests, { followed_id: userId, year }))
      yield { readerId: user_id, requestedAt: requested_at };
}

/** Returns the years in which a reader may have got requests, and the next one. */
async function everyYear(app: AppContext, userId: string): Promise<number[]> {
  const years = yearsBetween(await registeredAtOf(app, userId), app.clock());
  return [...years, app.clock().getUTCFullYear() + 1];
}

export const personalData: readonly PersonalTable[] = [
  {
    // The likes and follows of the reader are erased with likes_by_user and follows_by_user: the
    // name is removed immediately, and the row expires after a day.
    table: 'user_by_item',
    exported: followersOfUser,
    erased: async (app, userId) => {
      await eraseAllMembers(app, followersId(userId));
      return undefined;
    },
  },
  {
    table: 'like_counts',
    exported: 'the number of followers, who are in user_by_item',
    erased: 'with user_by_item',
  },
  {
    table: 'follow_requests_by_user',
    exported: requestsToUser,
    erased: async (app, userId) => {
      for (const year of await everyYear(app, userId))
        await write(app.cassandra, eraseRequests, { followed_id: userId, year });
      return undefined;
    },
  },
  {
    table: 'follower_ids_by_user',
    exported: 'the followers are in user_by_item; nobody learns who followed them before',
    erased: async (app, userId, after) => {
      const key = { followed_id: userId };
      const some = await pageOfShards(app.cassandra, followerIds, key, {
        shards: FOLLOWER_SHARDS,
        limit: FOLLOWERS_PER_PAGE,
        after,
      });
      await pLimit(FOLLOWERS_AT_ONCE).map(some.rows, ({ user_id }) =>
        forgetFollow(app, { userId: user_id, followedId: userId }),
      );
      if (some.next !== undefined) return some.next;
      for (let shard = 0; shard < FOLLOWER_SHARDS; shard++)
        await write(app.cassandra, eraseFollowerIds, { ...key, shard });
      return undefined;
    },
  },
  {
    table: 'follows_by_user',
    exported: followsOfUser,
    erased: async (app, userId, after) => {
      const next = await eachOfSomeFollows(app, userId, after, (followedId) =>
        forgetFollow(app, { userId, followedId }),
      );
      if (next === undefined) await recount(app, userId);
      return next;
    },
  },
  {
    table: 'following_by_user',
    exported: 'a projection of follows_by_user',
    erased: erasedBy(eraseFollowing, 'user_id'),
  },
];
