import { LOWEST_UUID } from '../cassandra/orders.ts';
import { bind, type Bound } from '../cassandra/statement.ts';
import { EMPTY, type Histogram } from './histogram.ts';
import { bookOfRatings, tablesOf, type ShardStatics } from './tables.ts';

/** The state of a shard of likers, which its static columns hold. */

/**
 * A former liker that nobody ever was. It stays in each shard for good, because static columns can
 * be read by key only together with a row.
 */
export const SENTINEL = {
  liked: false,
  liked_at: new Date(0),
  user_id: LOWEST_UUID,
  version: 0,
  kept_seconds: 0,
} as const;

export interface ShardState {
  readonly version: number;
  readonly likeCount: number;
  readonly rowCount: number;
  readonly histogram: Histogram;
  /** True if the shard is full. */
  readonly closed: boolean;
  /** True if the shard is counted in the sum of its block, once that exists. */
  readonly summed: boolean;
}

/** The state of a shard that does not exist yet. */
export const NO_SHARD: ShardState = {
  version: 0,
  likeCount: 0,
  rowCount: 0,
  histogram: EMPTY,
  closed: false,
  summed: false,
};

export const stateOf = (row: ShardStatics): ShardState => ({
  version: row.shard_version,
  likeCount: row.like_count,
  rowCount: row.row_count,
  histogram: row.histogram ?? EMPTY,
  closed: row.closed,
  summed: row.summed,
});

/** Returns the column of a histogram, which only ratings have. */
export const histogramColumn = (likeableId: string, histogram: Histogram) =>
  bookOfRatings(likeableId) === undefined ? {} : { histogram: [...histogram] };

/**
 * Returns the writes that change a shard's state, on condition that it still has the former one.
 */
export function changedState(
  key: { readonly likeable_id: string; readonly shard: number },
  before: ShardState,
  after: ShardState,
): Bound[] {
  const { openShard, updateFormerLiker, updateShard } = tablesOf(key.likeable_id);
  const { version, likeCount, rowCount, closed, summed } = after;
  const state = { next_version: version, like_count: likeCount, row_count: rowCount, closed, summed };
  const columns = { ...key, ...state, ...histogramColumn(key.likeable_id, after.histogram) };
  if (before.version > 0) return [bind(updateShard, { ...columns, current_version: before.version })];
  return [bind(openShard, columns), bind(updateFormerLiker, { ...key, ...SENTINEL })];
}
