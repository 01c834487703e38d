import { z } from 'zod';
import { recordActionsAmong, type Action } from '../activity/log.ts';
import { aggregate, type Changed, type Why } from '../aggregates/aggregate.ts';
import { bind, write, type Bound } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { recordEventAmong, type LibraryEvent } from '../events/operations.ts';
import { RateLimitedError, UserError } from '../graphql/errors.ts';
import type { UserError as UserErrorData } from '../graphql/schema.generated.ts';
import { accountNow, requireSignedIn } from '../identity/operations.ts';
import { groupCommit, type Change } from './group-commit.ts';
import {
  isLikeableShown,
  likeableIdOf,
  likeableInput,
  nothingHasThisId,
  titleNow,
  type Likeable,
} from './likeables.ts';
import type { LikeCounts } from './like-counts.ts';
import { noCounts, recentCounts, shownCountLoader, viewerLikeLoader } from './loaders.ts';
import { HOUR_MS } from '../time/units.ts';
import { blockOf } from './shards.ts';
import { stripes } from './stripes.ts';
import { likedItems, likeStates, type LikeState } from './tables.ts';
import { beginUpkeep } from './upkeep.ts';

/** How a like comes about: its input is validated, the aggregate decides, its state is projected, the answer reads it. */

/** Counts of a thing that is being liked are as old at most before the next like: about as long as a commit takes that nobody is in the way of. */
const BUSY_AGE_MAX_MS = 20;

const likeKey = z.strictObject({ userId: z.uuid(), likeableId: z.string() });
type LikeKey = z.infer<typeof likeKey>;

/** What the answer to a like or unlike is made of; nothing but errors when nothing was done. */
export interface LikeAnswer {
  readonly likeable: Likeable | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  readonly userErrors: UserErrorData[];
}

/**
 * The viewer likes a book or a copy.
 * @returns `changed`: false when they liked it already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`; `RATE_LIMITED` when it was taken back too often
 */
export async function like(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const likeable = await likeableInput(context, input.id);
  if (!(await isLikeableShown(context, likeable))) throw nothingHasThisId();
  const gone = whyGone(likeable);
  if (gone !== undefined) throw new UserError('NOT_FOUND', gone, ['input', 'id']);
  const key = { userId, likeableId: likeableIdOf(likeable) };

  // Which shard is open may be known from a moment ago: one that is closed takes a like as well.
  const recent = recentCounts(context);
  const kept = recent.kept(key.likeableId);
  let { row: counts } = await (kept ?? recent.read(key.likeableId));
  let shard = stripes(context).openShard(counts);
  // Where a commit is under way another server may be in its way, and have opened stripes.
  if (kept && groupCommit(context).isBusy(key.likeableId, shard)) {
    ({ row: counts } = await (recent.kept(key.likeableId, BUSY_AGE_MAX_MS) ?? recent.read(key.likeableId)));
    shard = stripes(context).openShard(counts);
  }
  groupCommit(context).mustHaveRoom(key.likeableId, shard);
  if (!counts) groupCommit(context).expectAbsent(key.likeableId, shard);
  beginUpkeep(context, counts);
  // Most likes are the first of their reader and likeable: no row is expected, and none is read.
  const done = await likes.change(context, key, undefined, (state, at) =>
    state?.liked
      ? undefined
      : { liked: true, liked_at: at, shard, former_shard: null, ...countedLike(context, state, at) },
  );

  // Where it is not their first change of it, a count of a moment ago may lack the one before.
  return answerOf(context, likeable, key, done, kept && done.before ? 'OLD' : counts);
}

/**
 * The viewer takes a like back.
 * @returns `changed`: false when they did not like it
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unlike(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const likeable = await likeableInput(context, input.id);
  const key = { userId, likeableId: likeableIdOf(likeable) };

  const [expected, { row: counts }] = await Promise.all([
    likes.read(context, key),
    recentCounts(context).read(key.likeableId),
  ]);
  beginUpkeep(context, counts);
  if (expected?.liked) groupCommit(context).mustHaveRoom(key.likeableId, expected.shard);
  const done = await likes.change(context, key, expected, (state) =>
    state?.liked ? { ...state, liked: false } : undefined,
  );

  return answerOf(context, likeable, key, done, counts);
}

/** Of a state that knows of no like within the hour. */
export const UNCOUNTED = { hour_began: null, hour_likes: 0 };

/**
 * Counts a like of an hour: each that is taken back leaves its trace in the shard, so nobody does it without end.
 * What is taken back is not refused, as it follows a like.
 * @throws {UserError} `RATE_LIMITED`
 */
function countedLike({ config }: AppContext, state: LikeState | undefined, at: Date) {
  const { hour_began: began, hour_likes } = state ?? UNCOUNTED;
  if (!began || at.getTime() - began.getTime() >= HOUR_MS) return { hour_began: at, hour_likes: 1 };

  // Half of the changes are likes.
  const isTooOften = config.likeChangesPerHour > 0 && 2 * hour_likes >= config.likeChangesPerHour;
  if (isTooOften) {
    const seconds = Math.ceil((began.getTime() + HOUR_MS - at.getTime()) / 1_000);
    throw new RateLimitedError('You liked this and took it back too often.', seconds);
  }
  return { hour_began: began, hour_likes: hour_likes + 1 };
}

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
    const item = itemOf(key, likedAt, version);
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
          recordActionsAmong(app, userId, actions, (done) =>
            recordEventAmong(app, event, why.occasion === 'CHANGE', async () => {
              const listed = liked
                ? bind(likedItems.insert, { ...item, title: await titleNow(app, likeableId) })
                : bind(likedItems.delete, item);
              return [listed, ...done, ...count];
            }),
          ),
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

/**
 * The answer to a change shows what was decided and committed, whatever the request had read before it.
 * @param counts as they were before the change; 'OLD' where they are not known well enough
 */
function answerOf(
  context: RequestContext,
  likeable: Likeable,
  { userId, likeableId }: LikeKey,
  { changed, state }: Changed<LikeState>,
  counts: LikeCounts | undefined | 'OLD',
) {
  viewerLikeLoader(context).clear(likeableId);
  viewerLikeLoader(context).prime(likeableId, state);
  shownCountLoader(context).clear(likeableId);
  const shown = counts === 'OLD' ? undefined : countsWith(context, likeableId, state, counts);
  if (shown) shownCountLoader(context).prime(likeableId, shown);
  return { likeable, viewerId: userId, changed };
}

/** Counts with what the shard of a like said when the like was brought into it; `undefined` where that is not enough. */
function countsWith(
  app: AppContext,
  likeableId: string,
  state: LikeState | undefined,
  before: LikeCounts = noCounts(app, likeableId),
): LikeCounts | undefined {
  if (!state?.liked_at) return before;
  const said = groupCommit(app).saidOf(likeableId, state.shard);
  const isInSum = said?.summed === true || before.sums.includes(blockOf(state.shard));
  return said && state.former_shard === null && !isInSum ? before.with(state.shard, said.likeCount) : undefined;
}

/** Why a likeable cannot be liked any more; a like of before stays, and can be taken back. */
function whyGone(likeable: Likeable): string | undefined {
  if (likeable.type === 'Item') {
    return likeable.status === 'FOR_SALE' ? undefined : 'This copy is not for sale any more and cannot be liked.';
  }
  return likeable.isRemoved ? 'This book was removed from the catalogue and cannot be liked any more.' : undefined;
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
