import { z } from 'zod';
import { actionsPart, type Action } from '../activity/log.ts';
import { aggregate, type Why } from '../aggregates/aggregate.ts';
import { sendTogether, type Part } from '../cassandra/parts.ts';
import { bind, write, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { eventPart, type LibraryEvent } from '../events/operations.ts';
import { accountNow } from '../identity/operations.ts';
import { groupCommit, type Change } from './group-commit.ts';
import { titleNow } from './likeables.ts';
import { likedItems, likeStates, type LikeState } from './tables.ts';

/** The kind of a like: its key, its states and what is projected from them. */

const likeKey = z.strictObject({ userId: z.uuid(), likeableId: z.string() });
export type LikeKey = z.infer<typeof likeKey>;

/** Of a state that knows of no like within the hour. */
export const UNCOUNTED = { hour_began: null, hour_likes: 0 };

const rowKeyOf = ({ userId, likeableId }: LikeKey) => ({ user_id: userId, likeable_id: likeableId });

/** The source of truth for every like, and what is projected from it. */
export const likes = aggregate({
  name: 'like',
  key: likeKey,
  table: likeStates,
  rowKey: rowKeyOf,
  tombstone: { liked: false, liked_at: null, shard: 0, former_shard: null, ...UNCOUNTED },
  owner: (app, { userId }) => accountNow(app, userId),
  readAhead: (app, { userId, likeableId }, state, why) => {
    const { shard, liked_at: likedAt } = state;
    if (likedAt) groupCommit(app).readAhead(likeableId, shard, { userId, likedAt, newSince: newSinceOf(state, why) });
  },
  erase: forgetLike,
  // A new like no longer knows the moment of the former one, under which the lists have it; one that is moved again, from where it is
  // being moved already.
  forgets: (former, next) =>
    former.liked_at?.getTime() !== next.liked_at?.getTime() ||
    (former.former_shard !== null && former.former_shard !== next.former_shard),
  projections: (app, key, state, { fullName, likesAudience }, why) => {
    const { liked, version, liked_at: likedAt, changed_at } = state;
    if (!likedAt) return [];
    const { userId, likeableId } = key;
    const actions: Action[] = [{ kind: 'LIKED', at: likedAt, subject: likeableId }];
    if (!liked) actions.push({ kind: 'UNLIKED', at: changed_at, subject: likeableId });
    const shown = liked ? { fullName, audience: likesAudience } : undefined;
    const event = likeEvent(key, likedAt, version, liked);
    return async (write) => {
      const change = { userId, version, likedAt, shown, newSince: newSinceOf(state, why) };
      const { likers: count } = await write({ likers: () => applyToShards(app, likeableId, state, change, true) });
      await write({
        // The title is read among the likers already: a new one that does not find this like there was decided before.
        lists: () =>
          sendTogether(app.cassandra, [
            itemPart(app, key, likedAt, version, liked),
            actionsPart(app, userId, actions),
            { writes: count },
            eventPart(app, event, why.occasion === 'CHANGE'),
          ]),
      });
    };
  },
});

/** Before which moment there was no like: each has a moment of its own, that of its decision; what takes it back has that of the like. */
const newSinceOf = ({ liked }: LikeState, { decidedSince }: Why) => (liked ? decidedSince : undefined);

/**
 * Brings a like into the shard where it is, and then out of the one that it is being moved from: it is in one at any moment.
 * @returns what is left to be written for the counts to be public, where that is taken
 */
async function applyToShards(
  app: AppContext,
  likeableId: string,
  { shard, former_shard }: LikeState,
  change: Change,
  takesCount = false,
): Promise<Bound[]> {
  const count = await groupCommit(app).apply(likeableId, shard, change, takesCount);
  if (former_shard !== null)
    await groupCommit(app).apply(likeableId, former_shard, { ...change, shown: undefined, newSince: undefined });
  return count;
}

/** Shows a like in its reader's list, or removes it there. */
async function itemPart(app: AppContext, key: LikeKey, likedAt: Date, version: number, liked: boolean): Promise<Part> {
  const item = itemOf(key, likedAt, version);
  if (!liked) return { writes: [bind(likedItems.delete, item)] };
  return { writes: [bind(likedItems.insert, { ...item, title: await titleNow(app, key.likeableId) })] };
}

/** The row of a like in its reader's list, and the version that it is written with. */
export const itemOf = (key: LikeKey, likedAt: Date, version: number) => ({
  ...rowKeyOf(key),
  year: likedAt.getUTCFullYear(),
  liked_at: likedAt,
  version: BigInt(version),
});

/** What is counted of a like. */
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

/** Takes back and forgets a like of a reader whose account is deleted. May be repeated at any time. */
export function forgetLike(app: AppContext, key: LikeKey): Promise<void> {
  return likes.forget(app, key, async (state) => {
    const { liked_at: likedAt, version } = state;
    if (!likedAt) return;
    // Whoever still projects the like that was loses by the version.
    const takenBack = { userId: key.userId, version: version + 1, likedAt, shown: undefined };
    await Promise.all([
      applyToShards(app, key.likeableId, state, takenBack),
      write(app.cassandra, likedItems.delete, itemOf(key, likedAt, version + 1)),
    ]);
  });
}
