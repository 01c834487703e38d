import { sizeOf } from '../cassandra/budget.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { LikeCounts } from './counts.ts';
import { publishedCountOf, type PublishedCount } from './publishing.ts';
import { tablesOf } from './tables.ts';

/** The maximum memory of the kept counts, of about half a kilobyte each. */
const COUNTS_BYTES_MAX = 12 * 2 ** 20;

/** Makes a loader of current counts, for decisions. Requests show `shownCounts`. */
export const likeCounts = ({ cassandra, config }: AppContext, options: Partial<Pick<AppContext, 'atEndOfTurn'>> = {}) =>
  rowLoader(
    async (likeable_ids) => {
      const found = new Map<string, { stripes: number; published: PublishedCount[] }>();
      // The rows come by likeable, and of each from the lowest shard on.
      const byTables = [...Map.groupBy(likeable_ids, tablesOf)];
      const read = byTables.map(([{ selectCounts }, ids]) => rows(cassandra, selectCounts, { likeable_ids: ids }));
      for (const row of (await Promise.all(read)).flat()) {
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

/** The counts of a likeable that nobody has liked yet. */
export const noCounts = ({ config }: AppContext, likeableId: string): LikeCounts =>
  new LikeCounts({ likeableId, published: [], stripes: 1, rowsMax: config.likeShardRowsMax });

/** The counts as they are, or were a moment ago. */
export const keptCounts = perProcess((app) => {
  const counts = likeCounts(app, { atEndOfTurn: app.atEndOfTurn });
  return keptUntilChanged(app, 'LIKE_COUNTS', { bytesMax: COUNTS_BYTES_MAX }, async (likeableId) => {
    const row = await counts.load(likeableId);
    return { row, size: sizeOf(row ? [...row.shards, ...row.sums].map((shard) => ({ shard })) : []) };
  });
});
