import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { feedMonthRows, feedMonthsPart } from '../activity/feed-months.ts';
import { actionsPart, type Action } from '../activity/log.ts';
import { listedMonths } from '../activity/months.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import type { ProjectionReason } from '../aggregates/kind.ts';
import { projectedList, requiredRows } from '../aggregates/projected-list.ts';
import { sendTogether, type Part } from '../cassandra/batches.ts';
import { batch } from '../cassandra/statement.ts';
import { announcedAct } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { eventPart, type LibraryEvent } from '../events/operations.ts';
import { accountNow } from '../identity/operations.ts';
import { groupCommit, type Change, type Committed } from '../member-sets/operations.ts';
import { noticeWrites, tellOf } from '../notices/operations.ts';
import { afterCounting, newsOfLike, shownFieldsNow, type ShownFields } from './likeables.ts';
import { likedItems, likeStates, type LikeState } from './tables.ts';

/** The kind of a like: its key, its states and what is projected from them. */

const likeKey = z.strictObject({ userId: uuid, likeableId: z.string() });
export type LikeKey = z.infer<typeof likeKey>;

/** The part of a state in which no like of the current hour is counted. */
export const UNCOUNTED = { hour_began: null, hour_likes: 0 };

const rowKeyOf = ({ userId, likeableId }: LikeKey) => ({ user_id: userId, likeable_id: likeableId });

const placeOf = (key: LikeKey, liked_at: Date) => ({ ...rowKeyOf(key), year: liked_at.getUTCFullYear(), liked_at });

/** The fields of the liked thing in the row of a like; `undefined` if they are not known. */
export interface ShownOfLike {
  readonly shown: ShownFields | undefined;
}

/** The list of a reader's likes. A like that is taken back shows no fields. */
export const byLikedAt = projectedList(likedItems, {
  rowsOf: (key: LikeKey, { liked, liked_at }: LikeState, { shown }: ShownOfLike) =>
    liked && liked_at ? [{ ...placeOf(key, liked_at), ...(shown ?? { title: '', authors: [] }) }] : [],
  formerKeysOf: (key, { liked_at }) => (liked_at ? [placeOf(key, liked_at)] : []),
  isJoined: ({ shown }) => shown !== undefined,
});

/** The months of a reader's likes, for feeds. */
export const monthsOfLikes = requiredRows(listedMonths, {
  rowsOf: ({ userId }: LikeKey, { liked, liked_at }: LikeState) =>
    liked && liked_at ? feedMonthRows(userId, [liked_at]) : [],
});

/** The source of truth for every like, and what is projected from it. */
export const likes = aggregate({
  name: 'like',
  key: likeKey,
  table: likeStates,
  rowKey: rowKeyOf,
  tombstone: { liked: false, liked_at: null, shard: 0, former_shard: null, ...UNCOUNTED },
  projectionContext: (app, { userId }) => accountNow(app, userId),
  erase: forgetLike,
  // The state of a new like no longer has the moment and the shard of the former like, which its
  // rows in the lists are under.
  needsFormerProjection: (former, next) => former.liked_at?.getTime() !== next.liked_at?.getTime(),
  projections: (app, key, state, { fullName, likesAudience }, reason) => {
    const { liked, version, liked_at: likedAt, changed_at } = state;
    if (!likedAt) return [];
    const { userId, likeableId } = key;
    const actions: Action[] = [{ kind: 'LIKED', at: likedAt, subject: likeableId }];
    if (!liked) actions.push({ kind: 'UNLIKED', at: changed_at, subject: likeableId });
    const shown = liked ? { fullName, audience: likesAudience } : undefined;
    const event = likeEvent(key, likedAt, version, liked);
    return async (step) => {
      const change = { userId, version, likedAt, shown, newSince: newSinceOf(state, reason) };
      const likers = await step('likers', () => commitLike(app, likeableId, state, change));
      // The title and authors are read after the likers are written. If the job of a change does
      // not find this like among them, the change was decided before this read.
      const lists = () =>
        sendTogether(app.cassandra, [
          listPart(app, key, state),
          feedMonthsPart(app, userId, liked ? [likedAt] : []),
          actionsPart(app, userId, actions),
          eventPart(app, event, reason.occasion === 'CHANGE'),
          noticePart(app, key, state, reason),
          { writes: reason.occasion === 'CHANGE' ? [announcedAct(app, userId, 'LIKES')] : [] },
        ]);
      await Promise.all([step('count', () => likers.published), step('lists', lists)]);

      const after = afterCounting(app, likeableId);
      if (after) await step('after', after);
      return likers.state;
    };
  },
});

/**
 * Returns the earliest moment from which data of a like can exist. Each like has its own moment,
 * that of its decision; an unlike has the moment of its like.
 */
const newSinceOf = ({ liked }: LikeState, { decidedSince }: ProjectionReason) => (liked ? decidedSince : undefined);

/**
 * Commits a like or its end to the shard. A server of release 1.0.0 moves likes to other shards. If
 * one died during a move, this removes the like from the shard that it was moved from.
 */
async function commitLike(
  app: AppContext,
  likeableId: string,
  { shard, former_shard: former }: LikeState,
  change: Change,
): Promise<Committed> {
  const committed = await groupCommit(app).commit(likeableId, shard, change);
  if (former !== null)
    await groupCommit(app).apply(likeableId, former, { ...change, shown: undefined, newSince: undefined });
  return committed;
}

/** Shows a like in its reader's list, or removes it there. */
async function listPart(app: AppContext, key: LikeKey, state: LikeState): Promise<Part> {
  const shown = state.liked ? await shownFieldsNow(app, key.likeableId) : undefined;
  return { writes: byLikedAt.writes(key, state, { shown }) };
}

/** Notifies the owner of the liked thing, if there is one. */
async function noticePart(
  app: AppContext,
  key: LikeKey,
  { liked, liked_at }: LikeState,
  { occasion }: ProjectionReason,
): Promise<Part> {
  const news = liked && liked_at ? await newsOfLike(app, key, liked_at) : undefined;
  return {
    writes: noticeWrites(app, news),
    onWritten: () => {
      if (occasion === 'CHANGE') tellOf(app, news);
    },
  };
}

/** The event that is counted for a like. */
export const likeEvent = (
  { userId, likeableId }: LikeKey,
  at: Date,
  version: number,
  happened: boolean,
): LibraryEvent => ({
  kind: 'LIKE',
  subject: likeableId,
  at,
  id: `${userId} ${likeableId} ${at.getTime()}`,
  version,
  happened,
});

/** Takes back and forgets a like of a deleted account. It may be repeated at any time. */
export function forgetLike(app: AppContext, key: LikeKey): Promise<void> {
  return likes.forget(app, key, async (state) => {
    const { liked_at: likedAt } = state;
    if (!likedAt) return;
    // The writes of a process that still projects the former state have a lower version, so they
    // change nothing.
    const version = state.version + 1;
    const takenBack = { userId: key.userId, version, likedAt, shown: undefined };
    const [{ published }] = await Promise.all([
      commitLike(app, key.likeableId, state, takenBack),
      batch(app.cassandra, byLikedAt.writes(key, { ...state, liked: false, version }, { shown: undefined })),
    ]);
    await published;
    await afterCounting(app, key.likeableId)?.();
  });
}
