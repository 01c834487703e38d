import { first } from '../cassandra/statement.ts';
import { parseSubject } from '../graphql/ids.ts';
import { auditOfLikers } from '../member-sets/audit.ts';
import { likeTables } from '../member-sets/operations.ts';
import { followersId, follows, type FollowKey } from './aggregate.ts';
import { selectFollowsAmong, type FollowState } from './tables.ts';

/** Compares the followers of each reader with the follows. */

/** Returns whether a likeable_id names the followers of a reader. */
export const isOfFollowers = (likeableId: string): boolean => parseSubject(likeableId)?.type === 'User';

/** The followers of each reader, among the likers of everything. */
export const followers = auditOfLikers({
  tables: likeTables,
  idOf: (likeableId) => likeableId,
  states: follows,
  keyOf: ({ likeable_id, user_id }) => ({ userId: user_id, followedId: parseSubject(likeable_id)?.key ?? '' }),
  find: async ({ cassandra }, { userId, followedId }) =>
    (await first(cassandra, selectFollowsAmong, { user_id: userId, followed_ids: [followedId] }))?.state,
  rowOf: ({ userId, followedId }: FollowKey, { followed, followed_at, shard }: FollowState) =>
    followed_at
      ? { likeable_id: followersId(followedId), shard, liked: followed, liked_at: followed_at, user_id: userId }
      : undefined,
});
