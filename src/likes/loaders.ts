import { keysInParts } from '../cassandra/statement-builders.ts';
import { BatchLoader, loaderOf } from '../cassandra/key-loaders.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest, type RequestContext } from '../context/context.ts';
import { hasChangedLately, shownCounts } from '../member-sets/operations.ts';
import { selectAlsoLiked, selectLikesOfViewer, type LikeState } from './tables.ts';

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

/** Loads the lists of what readers of a book also liked, by the book's id. */
export const alsoLikedLoader = perRequest((context) => loaderOf(context, selectAlsoLiked));
