import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { perRequest, type RequestContext } from '../context/context.ts';
import { storedSubject } from '../graphql/ids.ts';
import { viewerFollowLoader } from '../identity/following.ts';
import { hasChangedLately, shownCounts } from '../member-sets/operations.ts';

/** Loads the numbers of followers that a request shows, by likeable_id. */
export const followerCountLoader = perRequest((context) =>
  shownCounts(context, (likeableId) => isOwnChange(context, storedSubject(likeableId).key)),
);

/**
 * Returns whether the viewer may have changed the followers of a reader lately, on any server: as a
 * follower, or as the reader.
 */
const isOwnChange = (context: RequestContext, userId: string): MaybePromise<boolean> =>
  context.viewerId !== null &&
  (userId === context.viewerId ||
    andThen(viewerFollowLoader(context).load(userId), (follow) => hasChangedLately(context, follow)));
