import type { BatchLoader } from '../cassandra/key-loaders.ts';
import type { MaybePromise } from '../cassandra/maybe-promise.ts';
import { sharedLoader } from '../cassandra/recent-reads.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import { PackedIds, type SoughtReaders } from '../member-sets/operations.ts';
import { readFollowed } from './following.ts';

/**
 * Whom readers follow, kept in this process until a follow is announced. It is for pages that would
 * otherwise read up to 2,000 rows more: it may lack what the caller changed at another server
 * within the last second. Data that only followers may see asks `following.ts`.
 */

/** The memory of a followed reader: an id as a text, and packed. */
const FOLLOWED_BYTES = 104;
/** The maximum memory of all kept follows. */
const FOLLOWING_BYTES_MAX = 24 * 2 ** 20;

const soughtReaders = (ids: readonly string[]): SoughtReaders => ({ ids, packed: new PackedIds(ids) });

const keptFollowing = perProcess((app) =>
  keptUntilChanged<SoughtReaders>(app, 'FOLLOWING', { bytesMax: FOLLOWING_BYTES_MAX }, async (userId) => {
    const ids = await readFollowed(app, userId);
    return { row: soughtReaders(ids), size: { rows: ids.length, bytes: FOLLOWED_BYTES * ids.length } };
  }),
);

/** Loads whom readers follow; a request asks for the caller's follows only. */
const followingLoader = perRequest((context): BatchLoader<SoughtReaders> => {
  const kept = keptFollowing(context);
  return sharedLoader(context, { kept: (userId) => kept.kept(userId), read: (userId) => kept.read(userId) });
});

/** Returns the readers whom the caller follows; `undefined` if the caller is signed out. */
export const keptFollowingOf = (context: RequestContext): MaybePromise<SoughtReaders | undefined> =>
  context.viewerId === null ? undefined : followingLoader(context).load(context.viewerId);

/** Forgets whom the caller follows, because they have changed it. */
export function forgetKeptFollowing(context: RequestContext, userId: string): void {
  keptFollowing(context).forget(userId);
  followingLoader(context).clear(userId);
}

/** Lets a request see what a reader sees who follows one other reader alone. */
export const followOnly = (context: RequestContext, userId: string, followedId: string): void => {
  followingLoader(context).prime(userId, soughtReaders([followedId]));
};
