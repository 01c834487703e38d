import { sizeOf } from '../cassandra/budget.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { LikeCounts } from './counts.ts';
import { withoutSums } from './former-sums.ts';
import { publishedCountOf } from './publishing.ts';
import { tablesOf } from './tables.ts';

/** The maximum memory of the kept counts, of about half a kilobyte each. */
const COUNTS_BYTES_MAX = 12 * 2 ** 20;

type StoredCount = NonNullable<ReturnType<typeof publishedCountOf>>;

/** Makes a loader of current counts, for decisions. Requests show `shownCounts`. */
export const likeCounts = ({ cassandra }: AppContext, options: Partial<Pick<AppContext, 'atEndOfTurn'>> = {}) =>
  rowLoader(
    async (likeable_ids) => {
      const found = new Map<string, { stripes: number; counts: StoredCount[] }>();
      // The rows are sorted by likeable, and then by shard.
      const byTables = [...Map.groupBy(likeable_ids, tablesOf)];
      const read = byTables.map(([{ selectCounts }, ids]) => rows(cassandra, selectCounts, { likeable_ids: ids }));
      for (const row of (await Promise.all(read)).flat()) {
        const counts = found.get(row.likeable_id)?.counts ?? [];
        const count = publishedCountOf(row);
        if (count) counts.push(count);
        found.set(row.likeable_id, { stripes: row.stripes ?? 1, counts });
      }
      return Promise.all(
        [...found].map(async ([likeableId, { stripes, counts }]) => {
          const published = await withoutSums(cassandra, likeableId, counts);
          return new LikeCounts({ likeableId, published, stripes });
        }),
      );
    },
    ({ likeableId }) => likeableId,
    options,
  );

/** The counts of a likeable that nobody has liked yet. */
export const noCounts = (likeableId: string): LikeCounts => new LikeCounts({ likeableId, published: [], stripes: 1 });

/** The counts kept in this process, which may be a moment old. */
export const keptCounts = perProcess((app) => {
  const counts = likeCounts(app, { atEndOfTurn: app.atEndOfTurn });
  return keptUntilChanged(app, 'LIKE_COUNTS', { bytesMax: COUNTS_BYTES_MAX }, async (likeableId) => {
    const row = await counts.load(likeableId);
    return { row, size: sizeOf(row ? row.shards.map((shard) => ({ shard })) : []) };
  });
});
