import pLimit from 'p-limit';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { BatchLoader, loaderOf } from '../cassandra/key-loaders.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest, type RequestContext } from '../context/context.ts';
import { hiddenReaders, type HiddenReaders } from '../identity/privacy.ts';
import { countsNow, hasChangedLately, newestLikers, shownCounts, type LikerRow } from '../member-sets/operations.ts';
import { selectAlsoLiked, selectLikesOfReaders, selectLikesOfViewer, type LikeState } from './tables.ts';

/** Loads the counts that a request shows. */
export const shownCountLoader = perRequest((context) =>
  shownCounts(context, (likeableId) => isOwnChange(context, likeableId)),
);

/** Returns whether the viewer has changed their like of a thing lately, on any server. */
const isOwnChange = (context: RequestContext, likeableId: string): MaybePromise<boolean> =>
  context.viewerId !== null &&
  andThen(viewerLikeLoader(context).load(likeableId), (like) => hasChangedLately(context, like));

/** The part of a like that its reader is shown. */
export type LikeOfViewer = Pick<LikeState, 'liked' | 'liked_at' | 'changed_at'>;

/** Loads the viewer's likes by likeable_id; none if the caller is signed out. */
export const viewerLikeLoader = perRequest(
  (context) =>
    new BatchLoader(async (keys) => {
      const { viewerId: user_id } = context;
      const read = (likeable_ids: string[], viewer: string) =>
        rows(context.cassandra, selectLikesOfViewer, { user_id: viewer, likeable_ids });
      const found = user_id === null ? [] : await Promise.all(keysInParts(keys).map((part) => read(part, user_id)));
      return new Map<string, LikeOfViewer>(found.flat().map((row) => [row.likeable_id, row]));
    }),
);

/** The number of newest likers that are read of a thing. */
const NEWEST_LIKERS = 20;
const THINGS_AT_ONCE = 16;

/** The likers of a thing of the viewer: all but the viewer, and readers hidden from the viewer. */
export interface OtherLikers {
  readonly count: number;
  /** The newest of them, at most 20, newest like first. */
  readonly newest: readonly LikerRow[];
}

/**
 * The loaders of other likers, by the hidden readers that they leave out. A block in the same
 * request begins a new one.
 */
const otherLikersLoaders = perRequest(() => new WeakMap<HiddenReaders, BatchLoader<OtherLikers>>());

/** Loads the other likers of things. Things that nobody else likes are missing. */
export function otherLikersLoader(context: RequestContext): BatchLoader<OtherLikers> {
  const hidden = hiddenReaders(context);
  const known = otherLikersLoaders(context).get(hidden);
  if (known) return known;
  const loader = new BatchLoader((likeableIds) => readOtherLikers(context, hidden, likeableIds));
  otherLikersLoaders(context).set(hidden, loader);
  return loader;
}

async function readOtherLikers(
  context: RequestContext,
  hidden: HiddenReaders,
  likeableIds: readonly string[],
): Promise<ReadonlyMap<string, OtherLikers>> {
  const excluded = [context.viewerId ?? LOWEST_UUID, ...(await hidden.first())];
  const [counts, likesOfExcluded] = await Promise.all([
    countsNow(context, likeableIds),
    countLikesOf(context, excluded, likeableIds),
  ]);
  const isExcluded = new Set(excluded);
  const found = await pLimit(THINGS_AT_ONCE).map([...counts], async ([likeableId, of]) => {
    const left = likesOfExcluded.get(likeableId) ?? 0;
    const rows = await newestLikers(context, of, NEWEST_LIKERS + left);
    const newest = rows.filter(({ user_id }) => !isExcluded.has(user_id)).slice(0, NEWEST_LIKERS);
    // A like is decided a moment before it is counted.
    return [likeableId, { count: Math.max(of.likeCount - left, newest.length), newest }] as const;
  });
  return new Map<string, OtherLikers>(found.filter(([, { newest }]) => newest.length > 0));
}

/** Counts the likes by some readers of each of some things. */
async function countLikesOf(
  { cassandra }: RequestContext,
  userIds: readonly string[],
  likeableIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const parts = keysInParts(userIds).flatMap((user_ids) =>
    keysInParts(likeableIds).map((likeable_ids) => rows(cassandra, selectLikesOfReaders, { user_ids, likeable_ids })),
  );
  const counts = new Map<string, number>();
  for (const { likeable_id, liked } of (await Promise.all(parts)).flat())
    if (liked) counts.set(likeable_id, (counts.get(likeable_id) ?? 0) + 1);
  return counts;
}

/** Loads the lists of what readers of a book also liked, by the book's id. */
export const alsoLikedLoader = perRequest((context) => loaderOf(context, selectAlsoLiked));
