import type { BatchLoader } from '../cassandra/key-loaders.ts';
import type { MaybePromise } from '../cassandra/maybe-promise.ts';
import { sharedLoader } from '../cassandra/recent-reads.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import { packed } from '../member-sets/operations.ts';
import { readFollowed } from './following.ts';

/**
 * Whom readers follow, kept in this process until a follow is announced. It is for pages that would
 * otherwise read up to 2,000 rows more: it may lack what the caller changed at another server
 * within the last second. Data that only followers may see asks `following.ts`.
 */

/** The readers whom a reader follows. */
export interface KeptFollowing {
  /** Their packed ids. */
  readonly ids: string;
}

/** The maximum memory of all kept follows, of 16 bytes for each followed reader. */
const FOLLOWING_BYTES_MAX = 12 * 2 ** 20;

const keptFollowing = perProcess((app) =>
  keptUntilChanged<KeptFollowing>(app, 'FOLLOWING', { bytesMax: FOLLOWING_BYTES_MAX }, async (userId) => {
    const followed = await readFollowed(app, userId);
    const ids = packed(followed);
    return { row: { ids }, size: { rows: followed.length, bytes: ids.length } };
  }),
);

/** Loads whom readers follow; a request asks for the caller's follows only. */
const followingLoader = perRequest((context): BatchLoader<KeptFollowing> => {
  const kept = keptFollowing(context);
  return sharedLoader(context, { kept: (userId) => kept.kept(userId), read: (userId) => kept.read(userId) });
});

/** Returns the readers whom the caller follows; `undefined` if the caller is signed out. */
export const keptFollowingOf = (context: RequestContext): MaybePromise<KeptFollowing | undefined> =>
  context.viewerId === null ? undefined : followingLoader(context).load(context.viewerId);

/** Forgets whom the caller follows, because they have changed it. */
export function forgetKeptFollowing(context: RequestContext, userId: string): void {
  keptFollowing(context).forget(userId);
  followingLoader(context).clear(userId);
}
