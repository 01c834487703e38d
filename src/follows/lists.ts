import { perProcess, type RequestContext } from '../context/context.ts';
import {
  connection,
  cursorIn,
  type Connection,
  type CountedConnection,
  type Cursor,
  type List,
  type PageArguments,
} from '../graphql/connections.ts';
import { sealed } from '../graphql/sealed.ts';
import { existingAccount, type User } from '../identity/operations.ts';
import { shownLikers, type LikerEdge } from '../identity/shown-likers.ts';
import { tallyLoader, type Tally } from '../member-sets/tally.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { followersId } from './aggregate.ts';
import { FOLLOWS_MAX } from './counts.ts';
import { followerCountLoader } from './loaders.ts';
import { followedReaders, followRequests, yearsOfRequests, type FollowState } from './tables.ts';

/** The lists and counts that show follows. */

/** An unanswered request to follow a reader. */
export interface FollowRequestEdge {
  readonly cursor: Cursor;
  readonly userId: string;
  readonly requestedAt: Date;
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
export interface FollowerTally extends Omit<Tally, 'histogram' | 'version'> {
  readonly asOf: Date;
}

/** Returns a follow as a page of its reader's follows has it; null for one that has ended. */
export function followEdgeOf(
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
 * The codecs of cursors, made once because they cost as much as a row. Cursors are sealed because
 * they name readers whom the caller may not see.
 */
const followingCursor = perProcess(({ config }) => sealed(config, followedReaders.cursor));
const requestsCursor = perProcess(({ config }) => sealed(config, followRequests.cursor));

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

/**
 * Reads a page of the readers who ask to follow a reader, newest request first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function followRequestsOf(
  context: RequestContext,
  userId: string,
  args: PageArguments,
): Promise<CountedConnection<FollowRequestEdge>> {
  const { registeredAt } = await existingAccount(context, userId);
  const buckets = yearsOfRequests(registeredAt, context.clock());
  const requests = followRequests.list(context.cassandra, { followed_id: userId }, { buckets });
  const list: List<FollowRequest, FollowRequest> = {
    ...requests,
    name: `follow requests ${userId}`,
    descending: true,
    cursor: requestsCursor(context),
  };
  return connection(args, list, ({ requested_at, user_id }, cursor) => ({
    cursor,
    userId: user_id,
    requestedAt: requested_at,
  }));
}

type FollowRequest = ReturnType<typeof followRequests.positionOf>;

/**
 * Counts the readers whom a reader follows. Those whose follow ends at this moment may exceed the
 * maximum.
 */
async function countFollowed({ cassandra }: RequestContext, user_id: string): Promise<number> {
  const slice = { descending: true, from: undefined, limit: 2 * FOLLOWS_MAX };
  return (await followedReaders.read(cassandra, { user_id }, slice)).length;
}
