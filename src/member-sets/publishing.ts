import { batch, bind, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { announcement } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { firstOfBlock, isSumRight, sumWrites } from './former-sums.ts';
import { agree, EMPTY, type Histogram } from './histogram.ts';
import { nextShard } from './numbering.ts';
import { histogramColumn, type ShardState } from './shard.ts';
import { tablesOf } from './tables.ts';

/**
 * The published counts, one for each shard. The write timestamp of a count is the version of its
 * shard, so that an older count never replaces a newer one.
 */

/** Returns the write that announces a change of the published counts of a likeable. */
export const announcedCounts = (app: Pick<AppContext, 'clock'>, likeableId: string): Bound =>
  announcement(app, { kind: 'LIKE_COUNTS', key: likeableId });

export interface PublishedCount {
  readonly shard: number;
  readonly likeCount: number;
  readonly histogram: Histogram;
}

/** Returns the columns of a published count. */
const countColumns = (likeableId: string, shard: number, { likeCount, histogram }: Counted) => ({
  likeable_id: likeableId,
  shard,
  like_count: likeCount,
  ...histogramColumn(likeableId, histogram),
});

/** The number and the histogram of a shard. */
type Counted = Pick<ShardState, 'likeCount' | 'histogram'>;

const NOTHING_COUNTED: Counted = { likeCount: 0, histogram: EMPTY };

/**
 * Publishes a shard's count, and opens the next shard if this one is full. The count of a full
 * shard is deleted once all of its likes were taken back.
 * @param announced the write that announces the change to the servers that keep the counts
 */
export async function publishCount(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
  state: ShardState,
  announced: Bound,
): Promise<void> {
  const { deleteCount, updateCount } = tablesOf(likeableId);
  const version = BigInt(state.version);
  const isGone = state.closed && state.likeCount === 0;
  const writes = [
    isGone
      ? bind(deleteCount, { likeable_id: likeableId, shard, version })
      : bind(updateCount, { ...countColumns(likeableId, shard, state), version }),
  ];

  if (state.summed) {
    writes.push(...(await sumWrites(cassandra, likeableId, shard)));
  } else if (state.closed) {
    const next = countColumns(likeableId, nextShard(shard), NOTHING_COUNTED);
    writes.push(bind(updateCount, { ...next, version: 0n }));
  }
  await batch(cassandra, [...writes, announced]);
}

/** The columns of a row of counts that concern a shard. */
interface CountRow {
  readonly shard: number | null;
  readonly like_count: number | null;
  readonly summed?: boolean | null;
  readonly histogram?: Histogram;
}

/**
 * Returns the count that a row publishes. There is none if stripes were opened before any shard,
 * which leaves a row without a shard.
 */
export const publishedCountOf = ({ shard, like_count, summed, histogram = EMPTY }: CountRow) =>
  shard === null ? undefined : { shard, likeCount: like_count ?? 0, histogram, isSum: summed ?? false };

/**
 * Returns whether the published count of a shard agrees with the shard. A sum is compared for the
 * first shard of its block.
 */
export async function isPublished(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
  state: ShardState,
): Promise<boolean> {
  const found = await rows(cassandra, tablesOf(likeableId).selectCounts, { likeable_ids: [likeableId] });
  const counts = found.map(publishedCountOf).filter((count) => count !== undefined);
  const sum = counts.find((count) => count.isSum && count.shard === firstOfBlock(shard));
  if (sum) return shard !== sum.shard || isSumRight(cassandra, likeableId, sum);

  const own = counts.find((count) => count.shard === shard);
  return own ? isSame(own, state) : state.closed && isSame(NOTHING_COUNTED, state);
}

const isSame = (one: Counted, other: Counted): boolean =>
  one.likeCount === other.likeCount && agree(one.histogram, other.histogram);
