import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { precondition } from '../aggregates/kind.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { isTombstone, type Content } from '../aggregates/state.ts';
import { batch, bind, type Bound } from '../cassandra/statement.ts';
import { announcedAct, announcement } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { subjectOf } from '../graphql/ids.ts';
import { accountNow, readersNow } from '../identity/operations.ts';
import { areHiddenNow } from '../identity/privacy.ts';
import { eraseMembers, groupCommit } from '../member-sets/operations.ts';
import type { News } from '../feature/news.ts';
import { noticeWrites, tellOf } from '../notices/operations.ts';
import { countedStates } from './counts.ts';
import {
  eraseFollowerId,
  followedReaders,
  followerIdKey,
  followerIds,
  followRequests,
  type FollowState,
} from './tables.ts';

/** The kind of a follow: its key, its states and what is projected from them. */

/** The key of a follow: `userId` follows `followedId`, or has asked to. */
const followKey = z.strictObject({ userId: uuid, followedId: uuid });
export type FollowKey = z.infer<typeof followKey>;

/** The likeable_id under which a reader's followers are likers. */
export const followersId = (userId: string): string => subjectOf({ type: 'User', key: userId });

const rowKeyOf = ({ userId, followedId }: FollowKey) => ({ user_id: userId, followed_id: followedId });

const followingRows = (key: FollowKey, { followed_at }: FollowState) =>
  followed_at ? [{ ...rowKeyOf(key), followed_at }] : [];

const requestRows = (key: FollowKey, { requested_at }: FollowState) =>
  requested_at ? [{ ...rowKeyOf(key), year: requested_at.getUTCFullYear(), requested_at }] : [];

/** The readers whom each reader follows. */
export const byFollowedAt = projectedList(followedReaders, {
  rowsOf: (key: FollowKey, state: FollowState) => (state.followed ? followingRows(key, state) : []),
  formerKeysOf: followingRows,
});

/** The unanswered requests to each reader. */
export const byRequestedAt = projectedList(followRequests, {
  rowsOf: (key: FollowKey, state: FollowState) => (state.requested ? requestRows(key, state) : []),
  formerKeysOf: requestRows,
});

/** The rows that lead from each followed reader to the follows. */
export const ofFollowed = projectedList(followerIds, {
  rowsOf: ({ userId, followedId }: FollowKey, _state: FollowState) => [followerIdKey(userId, followedId)],
});

const LISTS = [byFollowedAt, byRequestedAt, ofFollowed];

const listWrites = (key: FollowKey, state: FollowState): Bound[] =>
  LISTS.flatMap((list) => list.writes(key, state, undefined));

/** Returns the news of a follow for the followed reader; `undefined` if it has ended. */
export const newsOf = ({ followedId }: FollowKey, { followed, followed_at }: FollowState): News | undefined =>
  followed && followed_at
    ? { userId: followedId, kind: 'FOLLOWED', subject: followersId(followedId), at: followed_at }
    : undefined;

/** Returns the write that announces a change of whom a reader follows, together with the change. */
const announcedFollowing = (app: AppContext, userId: string): Bound =>
  announcement(app, { kind: 'FOLLOWING', key: userId });

const NOTHING = { followed: false, requested: false };

/** Returns the content of a follow or request after its end; `undefined` if there is none. */
export const ended = (state: FollowState | undefined): Content<FollowState> | undefined =>
  state?.followed || state?.requested ? { ...state, ...NOTHING } : undefined;

/** The source of truth for every follow, and what is projected from it. */
export const follows = aggregate({
  name: 'follow',
  key: followKey,
  table: countedStates,
  rowKey: rowKeyOf,
  tombstone: { ...NOTHING, followed_at: null, requested_at: null, shard: 0, hour_began: null, hour_follows: 0 },
  projectionContext: async (app, { userId, followedId }) => {
    const [follower, followed] = await Promise.all([accountNow(app, userId), accountNow(app, followedId)]);
    return followed && follower;
  },
  erase: forgetFollow,
  // The state of a new follow or request lacks the moment and the shard of the former one, which
  // its rows in the lists are under.
  needsFormerProjection: (former, next) =>
    former.followed_at?.getTime() !== next.followed_at?.getTime() ||
    former.requested_at?.getTime() !== next.requested_at?.getTime(),
  projections: (app, key, state, { fullName, likesAudience }, { occasion, decidedSince }) => {
    if (isTombstone(state)) return [];
    const { userId, followedId } = key;
    const { followed, followed_at: likedAt, version, shard } = state;
    const shown = followed ? { fullName, audience: likesAudience } : undefined;

    return async (step) => {
      const news = newsOf(key, state);
      const notices = noticeWrites(app, news);
      const act = occasion === 'CHANGE' ? [announcedAct(app, userId, 'FOLLOWS')] : [];
      const lists = () =>
        batch(app.cassandra, [...listWrites(key, state), ...notices, announcedFollowing(app, userId), ...act]);
      // The end of a follow, and a request after it, have the moment of the follow.
      const newSince = followed ? decidedSince : undefined;
      const followers =
        likedAt &&
        (await step('followers', () =>
          groupCommit(app).commit(followersId(followedId), shard, { userId, version, likedAt, shown, newSince }),
        ));
      await Promise.all([step('lists', lists), followers && step('count', () => followers.published)]);

      // A block or an erasure of either reader may have missed these rows. It then began before
      // they were written, so these reads see it.
      await step('ends', async () => {
        if (!(await readersNow(app, [userId, followedId]))) await forgetFollow(app, key);
        else if (ended(state)) await endIfHidden(app, key, state);
      });
      if (occasion === 'CHANGE') tellOf(app, news);
      return followers?.state;
    };
  },
});

/**
 * Ends the follows and requests of two readers, in both directions, if the two are hidden from each
 * other now. It can be repeated at any time: it never ends a follow that was made after an unblock.
 */
export async function endFollowsIfHidden(app: AppContext, one: string, other: string): Promise<void> {
  const keys = [
    { userId: one, followedId: other },
    { userId: other, followedId: one },
  ];
  await Promise.all(
    keys.map(async (key) => {
      const state = await follows.read(app, key);
      if (state && !isTombstone(state)) await endIfHidden(app, key, state);
    }),
  );
}

/**
 * Ends a follow or request if its readers are hidden from each other. Each decision is made on
 * condition of a state that was read before the readers were found hidden. So it ends no follow
 * that was made later, when they were not hidden.
 * @param state the state that was read
 */
async function endIfHidden(app: AppContext, key: FollowKey, state: FollowState): Promise<void> {
  const areHidden = () => areHiddenNow(app, key.userId, key.followedId);
  if (!(await areHidden())) return;

  const areStillHidden = precondition('hidden', async () => {
    if (!(await areHidden())) throw NOT_HIDDEN;
  });
  try {
    await follows.change(app, key, state, ended, areStillHidden);
  } catch (error) {
    if (error !== NOT_HIDDEN) throw error;
  }
}

/** It ends a change of which nothing was decided, because the block was taken back. */
const NOT_HIDDEN = new UserError('NOT_FOUND', 'The two readers are not hidden from each other any more.', []);

/**
 * Forgets a follow of which one account is deleted. It can be repeated at any time. The row that
 * leads to the follow is deleted last, so that another erasure can finish an interrupted one.
 */
export async function forgetFollow(app: AppContext, key: FollowKey): Promise<void> {
  const { userId, followedId } = key;
  const followers = followersId(followedId);
  await follows.forget(app, key, async (state) => {
    // The writes of a process that still projects the former state have a lower version, so they
    // change nothing.
    const taken = { ...state, ...NOTHING, version: state.version + 1 };
    const gone = [byFollowedAt, byRequestedAt].flatMap((list) => list.writes(key, taken, undefined));
    await batch(app.cassandra, [...gone, announcedFollowing(app, userId)]);

    const { followed_at: likedAt, version } = taken;
    if (!likedAt) return;
    // Nobody is shown the followers of a deleted account.
    if (!(await accountNow(app, followedId))) await eraseMembers(app, followers, state.shard);
    else await groupCommit(app).apply(followers, state.shard, { userId, version, likedAt, shown: undefined });
  });
  await batch(app.cassandra, [bind(eraseFollowerId, followerIdKey(userId, followedId))]);
}
