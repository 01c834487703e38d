import { BatchLoader } from '../cassandra/key-loaders.ts';
import { all, andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { rows } from '../cassandra/statement.ts';
import { memoised, perRequest, type RequestContext } from '../context/context.ts';
import { sizeOfPage } from '../graphql/connections.ts';
import { keptFollowingOf } from '../identity/kept-following.ts';
import { readersWhoShow } from '../identity/privacy.ts';
import type { User } from '../identity/operations.ts';
import { membersAmong, newestFirst, type LikeCounts, type SoughtReaders } from '../member-sets/operations.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { likeableIdOf, type Likeable } from './likeables.ts';
import { shownCountLoader } from './loaders.ts';
import { selectLikesOfReaders } from './tables.ts';

/**
 * The readers whom the viewer follows among those who like a thing. The likers of a thing with few
 * of them are kept in this process; for any other thing, the likes of the followed readers are
 * read.
 */

/** The followed readers who like a thing. */
export interface KnownLikers {
  readonly count: number;
  readonly isExact: boolean;
  readonly nodes: readonly User[];
}

/** The number of nodes unless the client gives one. */
export const KNOWN_LIKERS = 3;

/**
 * Returns the readers whom the viewer follows and who like a thing, newest like first; none if the
 * caller is signed out.
 * @param first the maximum number of `nodes`
 * @throws `BAD_USER_INPUT` if `first` cannot be used
 */
export function knownLikersOf(
  context: RequestContext,
  likeable: Likeable,
  { first }: { readonly first?: number | null },
): MaybePromise<KnownLikers> {
  const size = sizeOfPage('first', first ?? KNOWN_LIKERS);
  return andThen(knownLikers(context, likeableIdOf(likeable)), (known) => ({
    count: known.length,
    // A read sees every answered like only if this server is trusted.
    isExact: context.viewerId === null || whyUntrusted(context) === undefined,
    nodes: known.slice(0, size),
  }));
}

const NOBODY: readonly User[] = [];

const knownLikers = (context: RequestContext, likeableId: string): MaybePromise<readonly User[]> =>
  andThen(keptFollowingOf(context), (following) =>
    following?.ids.length
      ? andThen(loaderFor(context)(following).load(likeableId), (known) => known ?? NOBODY)
      : NOBODY,
  );

/** Reads the known likers of a page of likeables. */
export const readKnownLikersAhead = async (context: RequestContext, likeableIds: readonly string[]): Promise<void> => {
  const following = await keptFollowingOf(context);
  if (following?.ids.length) await loaderFor(context)(following).ahead(likeableIds);
};

/** Makes a loader for whom the viewer follows. Once that has changed, it is another loader. */
const loaderFor = perRequest((context) =>
  memoised(
    (following: SoughtReaders) => new BatchLoader((ids) => readKnownLikers(context, ids, following)),
    (following) => following,
  ),
);

/** Reads the known likers of some likeables. Those without any are missing. */
async function readKnownLikers(
  context: RequestContext,
  likeableIds: readonly string[],
  following: SoughtReaders,
): Promise<Map<string, readonly User[]>> {
  const counts = await all(likeableIds.map((id) => shownCountLoader(context).load(id)));
  const liked = counts.flatMap((each) => (each && each.likeCount > 0 ? each : []));
  const { found, tooLarge } = await membersAmong(context, liked, following);
  const byReaders = tooLarge.length > 0 ? await likersAmong(context, tooLarge, following.ids) : [];
  for (const [id, userIds] of byReaders) found.set(id, userIds);

  const shown = await readersWhoShow(context, 'likes', new Set([...found.values()].flat()));
  return new Map([...found].map(([id, userIds]) => [id, userIds.flatMap((userId) => shown.get(userId) ?? [])]));
}

/** The number of rows to charge for a look into the likes of one reader, which take as long. */
const ROWS_OF_LOOK = 5;

/** Finds the readers who like some things by the likes of each reader. */
async function likersAmong(
  { cassandra, budget }: RequestContext,
  liked: readonly LikeCounts[],
  followed: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  budget?.countSize({ rows: ROWS_OF_LOOK * followed.length, bytes: 0 });
  const ids = liked.map(({ likeableId }) => likeableId);
  const parts = keysInParts(ids).flatMap((likeable_ids) =>
    keysInParts(followed).map((user_ids) => ({ likeable_ids, user_ids })),
  );
  const read = await Promise.all(parts.map((part) => rows(cassandra, selectLikesOfReaders, part)));
  const likes = read.flat().flatMap(({ liked, liked_at, ...like }) => (liked && liked_at ? { ...like, liked_at } : []));
  const byLikeable = Map.groupBy(likes.toSorted(newestFirst), ({ likeable_id }) => likeable_id);
  return new Map([...byLikeable].map(([id, ofIt]) => [id, ofIt.map(({ user_id }) => user_id)]));
}
