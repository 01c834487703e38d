import { sizeOf } from '../cassandra/budget.ts';
import type { RecentPages } from '../cassandra/recent-list.ts';
import { Recent, RecentRows, sharedLoader } from '../cassandra/recent-rows.ts';
import { BatchLoader } from '../cassandra/batch-loader.ts';
import { keysInParts, rowLoader } from '../cassandra/row-loader.ts';
import { andThen, type Soon } from '../cassandra/soon.ts';
import { rows } from '../cassandra/statement.ts';
import { perProcess, perRequest, type AppContext, type RequestContext } from '../context/context.ts';
import { shownFor } from '../context/shown.ts';
import { MINUTE_MS } from '../time/units.ts';
import { LikeCounts } from './like-counts.ts';
import { publishedCountOf, type PublishedCount } from './published.ts';
import { selectCounts, selectLikesOfViewer, type LikeState } from './tables.ts';

/** So many counts are kept: 3 MB, but for things with hundreds of shards. */
const COUNTS_KEPT = 10_000;
/** So many pages are kept, of some ten kilobytes. */
const PAGES_KEPT = 2_000;
/** Who has changed a like of theirs so lately sees counts as they are: longer than a call takes, with clocks apart as far as they may be. */
const LATELY_MS = 10 * MINUTE_MS;

/** A loader of counts as they are, for whoever decides by them; what a request shows comes by {@link shownCountLoader}. */
export const likeCounts = ({ cassandra, config }: AppContext, options: Partial<Pick<AppContext, 'atEndOfTurn'>> = {}) =>
  rowLoader(
    async (likeable_ids) => {
      const found = new Map<string, { stripes: number; published: PublishedCount[] }>();
      // By likeable, and of each from the lowest shard on.
      for (const row of await rows(cassandra, selectCounts, { likeable_ids })) {
        const published = found.get(row.likeable_id)?.published ?? [];
        const count = publishedCountOf(row);
        if (count) published.push(count);
        found.set(row.likeable_id, { stripes: row.stripes ?? 1, published });
      }
      const rowsMax = config.likeShardRowsMax;
      return [...found].map(([likeableId, counts]) => new LikeCounts({ likeableId, ...counts, rowsMax }));
    },
    ({ likeableId }) => likeableId,
    options,
  );

/** Of a likeable that nobody has liked yet. */
export const noCounts = ({ config }: AppContext, likeableId: string): LikeCounts =>
  new LikeCounts({ likeableId, published: [], stripes: 1, rowsMax: config.likeShardRowsMax });

/** Counts as they are, or were a moment ago. */
export const recentCounts = perProcess((app) => {
  const counts = likeCounts(app, { atEndOfTurn: app.atEndOfTurn });
  const read = async (likeableId: string) => {
    const row = await counts.load(likeableId);
    return { row, size: sizeOf(row ? [...row.shards, ...row.sums].map((shard) => ({ shard })) : []) };
  };
  return new RecentRows(read, { ...shownFor(app), rowsMax: COUNTS_KEPT });
});

/**
 * Counts to be shown: a moment old where others have asked for them just now, so that what everybody looks at is read once in that moment and
 * process. Whoever has liked a thing lately, or has taken it back, sees their own change, whichever server it was sent to.
 */
export const shownCountLoader = perRequest((context) => {
  const recent = recentCounts(context);
  const read = (likeableId: string) => recent.read(likeableId);
  return sharedLoader(context, {
    kept: (likeableId) => {
      const kept = recent.kept(likeableId);
      return kept && andThen(hasChangedLately(context, likeableId), (isOwn) => (isOwn ? read(likeableId) : kept));
    },
    read,
  });
});

/** Loads the counts that are going to be asked for: those that are kept once it is known which of them the viewer may have changed. */
export async function readCountsAhead(context: RequestContext, likeableIds: readonly string[]): Promise<void> {
  const [recent, counts] = [recentCounts(context), shownCountLoader(context)];
  const { kept = [], unknown = [] } = Object.groupBy(likeableIds, (id) => (recent.kept(id) ? 'kept' : 'unknown'));
  await Promise.all([counts.ahead(unknown), viewerLikeLoader(context).ahead(kept)]);
  await counts.ahead(kept);
}

/** Where the lists of likers and of likes begin, as it was a moment ago. */
export const recentPages = perProcess((app): RecentPages => new Recent({ ...shownFor(app), rowsMax: PAGES_KEPT }));

/** Whether the viewer has changed a like of a thing lately, by the moment that the server where they did so has noted. */
export const hasChangedLately = (context: RequestContext, likeableId: string): Soon<boolean> =>
  context.viewerId !== null &&
  andThen(viewerLikeLoader(context).load(likeableId), (like) =>
    like ? context.clock().getTime() - like.changed_at.getTime() < LATELY_MS : false,
  );

/** What of a like its reader is shown. */
export type LikeOfViewer = Pick<LikeState, 'liked' | 'liked_at' | 'changed_at'>;

/** The viewer's likes by likeable_id; none where nobody is signed in. */
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
