import type { Changed } from '../aggregates/decide.ts';
import type { Config } from '../config/config.ts';
import type { RequestContext } from '../context/context.ts';
import { invalidInput, overloaded, UserError } from '../graphql/errors.ts';
import type { UserError as UserErrorData } from '../graphql/generated/schema-types.ts';
import { idInput } from '../graphql/ids.ts';
import { forgetFollowed, viewerFollowLoader } from '../identity/following.ts';
import { forgetKeptFollowing } from '../identity/kept-following.ts';
import { accountById, noSuchReader, requireViewer } from '../identity/operations.ts';
import { shownReader } from '../identity/privacy.ts';
import {
  countAfter,
  countBefore,
  countedInHour,
  groupCommit,
  placeFor,
  type CountsBefore,
  type ShardState,
} from '../member-sets/operations.ts';
import { isEarlierReleaseAlive } from '../transactions/operations.ts';
import { ended, followersId, follows, type FollowKey } from './aggregate.ts';
import { followEdgeOf, type FollowedReaderEdge } from './lists.ts';
import { followerCountLoader } from './loaders.ts';
import type { FollowState } from './tables.ts';

/** Following readers, and asking to. */

/**
 * The first release that can show follows. An older server would remove followers as wrong rows.
 */
const FOLLOWS_SINCE = '1.1.0';
/** The time after which a caller may ask whether all servers are upgraded. */
const UPGRADED_AFTER_SECONDS = 60;

/** The answer to a change by the followed reader; only errors if nothing was done. */
export interface FollowerAnswer {
  /** The other reader. */
  readonly userId: string | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  readonly userErrors: UserErrorData[];
}

/** The answer to a follow or its end; only errors if nothing was done. */
export interface FollowAnswer extends FollowerAnswer {
  /** The follow as the viewer's list of followed readers has it; null if there is none. */
  readonly followEdge: FollowedReaderEdge | null;
}

/**
 * The viewer follows a reader, or asks a reader to follow them who approves their followers.
 * @returns `changed`: false when they followed the reader already, or had asked
 * @throws {UserError} `INVALID_INPUT`, also beyond a maximum, or `NOT_FOUND`, about `id`;
 *   `RATE_LIMITED` when it was taken back too often
 * @throws `OVERLOADED` while a server runs that does not know follows
 */
export async function follow(context: RequestContext, input: { id: string }) {
  const key = await followInput(context, input.id);
  const expected = await follows.read(context, key);
  const followed = await shownReader(context, key.followedId);
  if (!followed) throw noSuchReader();
  if (isEarlierReleaseAlive(context, FOLLOWS_SINCE))
    throw overloaded('A server of an earlier release still runs, and cannot show this follow.', UPGRADED_AFTER_SECONDS);

  const place = await placeFor(context, followersId(key.followedId));
  const { approvesFollowers } = followed;
  const done = await follows.change(context, key, expected, (state, at) => {
    if (state?.followed || (state?.requested && approvesFollowers)) return undefined;
    const counted = countedFollow(context.config, state, at);
    const former = { followed_at: state?.followed_at ?? null, requested_at: state?.requested_at ?? null };
    return approvesFollowers
      ? { ...former, followed: false, requested: true, requested_at: at, shard: state?.shard ?? 0, ...counted }
      : { ...former, followed: true, followed_at: at, requested: false, shard: place.shard, ...counted };
  });
  return answerOf(context, key, done, place);
}

/**
 * The viewer follows a reader no longer, even one whom they may not see any more.
 * @returns `changed`: false when they did not follow the reader
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unfollow(context: RequestContext, input: { id: string }) {
  const key = await followInput(context, input.id);
  const expected = await follows.read(context, key);
  const user = await (ended(expected) ? accountById : shownReader)(context, key.followedId);
  if (!user) throw noSuchReader();

  const { done, before } = await endFollow(context, key, expected);
  return answerOf(context, key, done, before);
}

/**
 * The viewer accepts the request of a reader, who follows them from then on.
 * @returns `changed`: false when the reader followed them already
 * @throws {UserError} `INVALID_INPUT`, or `NOT_FOUND` if there is no request, about `id`
 */
export async function acceptFollower(context: RequestContext, input: { id: string }) {
  const key = await followerInput(context, input.id);
  const expected = await follows.read(context, key);
  if (!(await shownReader(context, key.userId))) throw noSuchReader();

  const place = await placeFor(context, followersId(key.followedId));
  const done = await follows.change(context, key, expected, (state, at) => {
    if (state?.followed) return undefined;
    if (!state?.requested) throw new UserError('NOT_FOUND', 'This reader does not ask to follow you.', ['input', 'id']);
    return { ...state, followed: true, followed_at: at, requested: false, shard: place.shard };
  });
  return followerAnswerOf(context, key, done, place);
}

/**
 * The viewer declines the request of a reader, or ends that the reader follows them.
 * @returns `changed`: false when the reader neither followed nor asked them
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function removeFollower(context: RequestContext, input: { id: string }) {
  const key = await followerInput(context, input.id);
  const expected = await follows.read(context, key);
  const user = await (ended(expected) ? accountById : shownReader)(context, key.userId);
  if (!user) throw noSuchReader();

  const { done, before } = await endFollow(context, key, expected);
  return followerAnswerOf(context, key, done, before);
}

/** Ends a follow or request, and returns the counts before that. */
async function endFollow(context: RequestContext, key: FollowKey, expected: FollowState | undefined) {
  const likeableId = followersId(key.followedId);
  const before = await countBefore(context, likeableId);
  if (expected?.followed) groupCommit(context).requireRoom(likeableId, expected.shard);
  return { before, done: await follows.change(context, key, expected, ended) };
}

/**
 * Reads the reader whom the viewer follows by an input's id.
 * @throws {UserError} `INVALID_INPUT`
 */
async function followInput(context: RequestContext, id: string): Promise<FollowKey> {
  const { viewerId, otherId } = await readerInput(context, id);
  return { userId: viewerId, followedId: otherId };
}

/**
 * Reads the reader who follows the viewer, or asks to, by an input's id.
 * @throws {UserError} `INVALID_INPUT`
 */
async function followerInput(context: RequestContext, id: string): Promise<FollowKey> {
  const { viewerId, otherId } = await readerInput(context, id);
  return { userId: otherId, followedId: viewerId };
}

async function readerInput(context: RequestContext, id: string) {
  const { id: viewerId } = await requireViewer(context);
  const { type, key: otherId } = idInput('id', id);
  if (type !== 'User')
    throw invalidInput(['id'], `This is the id of a ${type}; only readers follow, and only readers can be followed.`);
  if (otherId === viewerId) throw invalidInput(['id'], 'This is your own id; nobody follows themselves.');
  return { viewerId, otherId };
}

/**
 * Counts a reader's follows of another one in an hour.
 * @throws {UserError} `RATE_LIMITED`
 */
function countedFollow(config: Config, state: FollowState | undefined, at: Date) {
  const former = { began: state?.hour_began, count: state?.hour_follows };
  const { began, count } = countedInHour(config, former, at, 'You followed this reader and took it back too often.');
  return { hour_began: began, hour_follows: count };
}

/**
 * Answers a change from the decided and committed state, independent of earlier reads of the
 * request.
 */
function answerOf(
  context: RequestContext,
  { userId, followedId }: FollowKey,
  done: ChangedFollow,
  counts: CountsBefore,
): Omit<FollowAnswer, 'userErrors'> {
  const { changed, state } = done;
  viewerFollowLoader(context).clear(followedId);
  viewerFollowLoader(context).prime(followedId, state);
  forgetFollowed(context);
  forgetKeptFollowing(context, userId);
  showCount(context, followedId, done, counts);
  return {
    userId: followedId,
    viewerId: userId,
    changed,
    followEdge: followEdgeOf(context, userId, followedId, state),
  };
}

/** Like {@link answerOf}, for a change by the followed reader. */
function followerAnswerOf(
  context: RequestContext,
  { userId, followedId }: FollowKey,
  done: ChangedFollow,
  counts: CountsBefore,
): Omit<FollowerAnswer, 'userErrors'> {
  showCount(context, followedId, done, counts);
  return { userId, viewerId: followedId, changed: done.changed };
}

type ChangedFollow = Changed<FollowState, ShardState | undefined>;

/** Shows the number of followers after a change for the rest of the request. */
function showCount(
  context: RequestContext,
  followedId: string,
  { before, state, result }: ChangedFollow,
  counts: CountsBefore,
): void {
  const states = { before: before && placed(before), state: state && placed(state) };
  const shown = countAfter(counts, states, result);
  followerCountLoader(context).clear(followersId(followedId));
  if (shown) followerCountLoader(context).prime(followersId(followedId), shown);
}

const placed = ({ followed_at, shard }: FollowState) => ({ liked_at: followed_at, shard });
