import type { Changed } from '../aggregates/decide.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { each } from '../cassandra/statement.ts';
import type { Config } from '../config/config.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import {
  connection,
  cursorIn,
  type Connection,
  type Cursor,
  type List,
  type PageArguments,
} from '../graphql/connections.ts';
import { invalidInput, overloaded, UserError } from '../graphql/errors.ts';
import type { UserError as UserErrorData } from '../graphql/generated/schema-types.ts';
import { idInput } from '../graphql/ids.ts';
import { sealed } from '../graphql/sealed.ts';
import { forgetFollowed, viewerFollowLoader } from '../identity/following.ts';
import { forgetKeptFollowing } from '../identity/kept-following.ts';
import { accountById, requireViewer, type User } from '../identity/operations.ts';
import { shownReader } from '../identity/privacy.ts';
import { shownLikers, type LikerEdge } from '../identity/shown-likers.ts';
import {
  countAfter,
  countBefore,
  countedInHour,
  groupCommit,
  placeFor,
  type CountsBefore,
  type ShardState,
} from '../member-sets/operations.ts';
import { tallyLoader, type Tally } from '../member-sets/tally.ts';
import { isEarlierReleaseAlive } from '../transactions/operations.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { ended, followersId, follows, type FollowKey } from './aggregate.ts';
import { followerCountLoader } from './loaders.ts';
import { followedReaders, selectFollowMarks, type FollowState } from './tables.ts';

/** Following readers, and the lists and counts that show follows. */

/** The maximum number of readers that a reader follows, or has asked to, at once. */
const FOLLOWS_MAX = 2_000;
/** The maximum number of readers whose follow by a reader has a state, former follows included. */
const FOLLOWS_EVER_MAX = 20_000;

/**
 * The first release that can show follows. An older server would remove followers as wrong rows.
 */
const FOLLOWS_SINCE = '1.1.0';
/** The time after which a caller may ask whether all servers are upgraded. */
const UPGRADED_AFTER_SECONDS = 60;

/** The answer to a follow or its end; only errors if nothing was done. */
export interface FollowAnswer {
  /** The other reader. */
  readonly userId: string | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  /** The follow as the viewer's list of followed readers has it; null if there is none. */
  readonly followEdge: FollowedReaderEdge | null;
  readonly userErrors: UserErrorData[];
}

/** A follow, seen from the follower. */
export interface FollowedReaderEdge {
  readonly cursor: Cursor;
  readonly userId: string;
  readonly followedAt: Date;
}

/** A page of the readers whom a reader follows. */
export interface FollowedReaderConnection extends Connection<FollowedReaderEdge> {
  readonly totalCount: () => Promise<number>;
}

/** A page of the readers who follow a reader. */
export interface FollowerConnection extends Connection<FollowerEdge> {
  readonly totalCount: number;
}

/** A follow, seen from the followed reader. */
export interface FollowerEdge extends Omit<LikerEdge, 'likedAt'> {
  readonly followedAt: Date;
}

/** The number of followers of a reader. */
export interface FollowerTally extends Omit<Tally, 'histogram'> {
  readonly asOf: Date;
}

/**
 * The viewer follows a reader.
 * @returns `changed`: false when they followed the reader already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`; `RATE_LIMITED` when it was taken
 *   back too often
 * @throws `OVERLOADED` while a server runs that does not know follows
 */
export async function follow(context: RequestContext, input: { id: string }) {
  const key = await followInput(context, input.id);
  const expected = await follows.read(context, key);
  if (!(await shownReader(context, key.followedId))) throw noSuchReader();
  if (isEarlierReleaseAlive(context, FOLLOWS_SINCE))
    throw overloaded('A server of an earlier release still runs, and cannot show this follow.', UPGRADED_AFTER_SECONDS);
  if (!ended(expected)) await requireFollowsLeft(context, key.userId, expected === undefined);

  const place = await placeFor(context, followersId(key.followedId));
  const done = await follows.change(context, key, expected, (state, at) =>
    state?.followed
      ? undefined
      : {
          followed: true,
          followed_at: at,
          requested: false,
          requested_at: state?.requested_at ?? null,
          shard: place.shard,
          ...countedFollow(context.config, state, at),
        },
  );
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

  const before = await countBefore(context, followersId(key.followedId));
  if (expected?.followed) groupCommit(context).requireRoom(followersId(key.followedId), expected.shard);
  const done = await follows.change(context, key, expected, ended);
  return answerOf(context, key, done, before);
}

/**
 * Reads the reader whom an input's id names.
 * @throws {UserError} `INVALID_INPUT`
 */
async function followInput(context: RequestContext, id: string): Promise<FollowKey> {
  const { id: userId } = await requireViewer(context);
  const { type, key: followedId } = idInput('id', id);
  if (type !== 'User')
    throw invalidInput(['id'], `This is the id of a ${type}, which cannot be followed; only readers can be followed.`);
  if (followedId === userId) throw invalidInput(['id'], 'This is your own id; you can follow others.');
  return { userId, followedId };
}

const noSuchReader = () => new UserError('NOT_FOUND', 'No reader has this id.', ['input', 'id']);

/**
 * Refuses a follow beyond the maximum. Concurrent calls may exceed it by a few.
 * @param isNew true if the reader never followed the other one
 * @throws {UserError} `INVALID_INPUT` about `id`
 */
async function requireFollowsLeft({ cassandra }: RequestContext, user_id: string, isNew: boolean): Promise<void> {
  let [now, ever] = [0, 0];
  for await (const { followed, requested } of each(cassandra, selectFollowMarks, { user_id })) {
    ever++;
    if (followed || requested) now++;
  }

  if (now >= FOLLOWS_MAX) throw tooMany('You follow', FOLLOWS_MAX, 'Unfollow a reader first.');
  if (isNew && ever >= FOLLOWS_EVER_MAX)
    throw tooMany('You have followed', FOLLOWS_EVER_MAX, 'Whom you followed before, you can follow again.');
}

const tooMany = (what: string, max: number, advice: string) =>
  invalidInput(['id'], `${what} ${max.toLocaleString('en')} readers, and nobody can follow more. ${advice}`);

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
  { changed, before, state, result }: Changed<FollowState, ShardState | undefined>,
  counts: CountsBefore,
): Omit<FollowAnswer, 'userErrors'> {
  viewerFollowLoader(context).clear(followedId);
  viewerFollowLoader(context).prime(followedId, state);
  forgetFollowed(context);
  forgetKeptFollowing(context, userId);

  const shown = countAfter(counts, { before: before && placed(before), state: state && placed(state) }, result);
  followerCountLoader(context).clear(followersId(followedId));
  if (shown) followerCountLoader(context).prime(followersId(followedId), shown);
  return {
    userId: followedId,
    viewerId: userId,
    changed,
    followEdge: followEdgeOf(context, userId, followedId, state),
  };
}

const placed = ({ followed_at, shard }: FollowState) => ({ liked_at: followed_at, shard });

/** Returns a follow as a page of its reader's follows has it; null for one that has ended. */
function followEdgeOf(
  context: RequestContext,
  userId: string,
  followedId: string,
  state: FollowState | undefined,
): FollowedReaderEdge | null {
  if (!state?.followed || !state.followed_at) return null;
  const list = {
    name: followingName(userId),
    cursor: followingCursor(context),
    positionOf: followedReaders.positionOf,
  };
  const { followed_at: followedAt } = state;
  return {
    cursor: cursorIn(list, { followed_at: followedAt, followed_id: followedId }),
    userId: followedId,
    followedAt,
  };
}

/** Returns whether the viewer follows a reader; false if the caller is signed out. */
export const viewerFollows = (context: RequestContext, userId: string): MaybePromise<boolean> =>
  andThen(viewerFollowLoader(context).load(userId), (follow) => follow?.followed ?? false);

/** The number of followers of a reader, and whether it includes every answered follow. */
export async function followerTallyOf(context: RequestContext, { id }: User): Promise<FollowerTally> {
  const asOf = context.clock();
  const { count, isExact } = await tallyLoader(context).load(followersId(id));
  // A read sees every answered write only if this server is trusted.
  return { count, isExact: isExact && whyUntrusted(context) === undefined, asOf };
}

/**
 * Reads a page of the readers who follow a reader, newest follow first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function followersOf(
  context: RequestContext,
  { id }: User,
  args: PageArguments,
): Promise<FollowerConnection> {
  const page = await shownLikers(context, followersId(id), followerCountLoader(context), args);
  return { ...page, edges: page.edges.map(({ likedAt, ...edge }) => ({ ...edge, followedAt: likedAt })) };
}

/**
 * The codec of cursors, made once because it costs as much as a row. Cursors are sealed because
 * they name readers whom the caller may not see.
 */
const followingCursor = perProcess(({ config }) => sealed(config, followedReaders.cursor));

const followingName = (userId: string) => `following ${userId}`;

/**
 * Reads a page of the readers whom a reader follows, newest follow first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function followingOf(
  context: RequestContext,
  { id: user_id }: User,
  args: PageArguments,
): Promise<FollowedReaderConnection> {
  const followed = followedReaders.list(context.cassandra, { user_id });
  const list: List<FollowedReader, FollowedReader> = {
    ...followed,
    name: followingName(user_id),
    descending: true,
    cursor: followingCursor(context),
  };
  const found = await connection(args, list, ({ followed_at, followed_id }, cursor) => ({
    cursor,
    userId: followed_id,
    followedAt: followed_at,
  }));
  return { ...found, totalCount: () => countFollowed(context, user_id) };
}

type FollowedReader = ReturnType<typeof followedReaders.positionOf>;

/** Counts the readers whom a reader follows. Concurrent follows may exceed the maximum. */
async function countFollowed({ cassandra }: RequestContext, user_id: string): Promise<number> {
  const slice = { descending: true, from: undefined, limit: 2 * FOLLOWS_MAX };
  return (await followedReaders.read(cassandra, { user_id }, slice)).length;
}
