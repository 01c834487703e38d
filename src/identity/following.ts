import { BatchLoader } from '../cassandra/key-loaders.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { each, rows } from '../cassandra/statement.ts';
import { perRequest, type AppContext, type RequestContext } from '../context/context.ts';
import { selectFollowed, selectFollowsOfViewer } from './tables.ts';

/**
 * Whom the caller follows. Both reads are of the caller's own rows, and nothing is kept longer than
 * a request: so a caller sees their own follow on any server, and what they no longer may see is
 * gone from the answer on.
 */

/** The part of a follow that its reader is shown. */
export interface FollowOfViewer {
  readonly followed: boolean;
  /** True if the caller has asked to follow the reader, who has not answered. */
  readonly requested: boolean;
  readonly changed_at: Date;
}

/**
 * Loads the caller's follows by the id of the other reader; none if the caller is signed out. A
 * follow that has ended is loaded as well.
 */
export const viewerFollowLoader = perRequest(
  (context) =>
    new BatchLoader(async (keys) => {
      const { viewerId: user_id } = context;
      const read = (followed_ids: string[], viewer: string) =>
        rows(context.cassandra, selectFollowsOfViewer, { user_id: viewer, followed_ids });
      const found = user_id === null ? [] : await Promise.all(keysInParts(keys).map((part) => read(part, user_id)));
      return new Map<string, FollowOfViewer>(found.flat().map((row) => [row.followed_id, row]));
    }),
);

/** Returns whether the caller follows a reader; false if they are signed out. */
export const viewerFollows = (context: RequestContext, userId: string): MaybePromise<boolean> =>
  context.viewerId !== null && andThen(viewerFollowLoader(context).load(userId), (follow) => follow?.followed ?? false);

/** Returns whether the caller has asked to follow a reader, who has not answered. */
export const viewerHasRequestedFollow = (context: RequestContext, userId: string): MaybePromise<boolean> =>
  context.viewerId !== null &&
  andThen(viewerFollowLoader(context).load(userId), (follow) => follow?.requested ?? false);

/** The readers whom the request has found to be followed, by viewer. A login changes the viewer. */
const followedByReader = perRequest(() => new Map<string, MaybePromise<ReadonlySet<string>>>());

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Returns the ids of the readers whom the caller follows, some 2,000 at most: not those whom they
 * have only asked. It reads them once per request.
 */
export function followedByViewer(context: RequestContext): MaybePromise<ReadonlySet<string>> {
  const { viewerId } = context;
  if (viewerId === null) return NOBODY;

  const known = followedByReader(context);
  const followed = known.get(viewerId) ?? readFollowed(context, viewerId).then((ids) => new Set(ids));
  known.set(viewerId, followed);
  return followed;
}

/** Reads the ids of the readers whom a reader follows. */
export async function readFollowed({ cassandra }: Pick<AppContext, 'cassandra'>, user_id: string): Promise<string[]> {
  const followed = await Array.fromAsync(each(cassandra, selectFollowed, { user_id }));
  return followed.map(({ followed_id }) => followed_id);
}

/**
 * Forgets whom the request has found to be followed, because a change of the caller's changed it.
 */
export const forgetFollowed = (context: RequestContext): void => {
  followedByReader(context).clear();
};

/**
 * Lets a request see what a follower of a reader sees who follows nobody else.
 * @param followerId the viewer of the request
 */
export function seeAsFollower(context: RequestContext, userId: string, followerId: string): void {
  viewerFollowLoader(context).prime(userId, { followed: true, requested: false, changed_at: new Date(0) });
  followedByReader(context).set(followerId, new Set([userId]));
}
