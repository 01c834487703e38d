import { LOWEST_UUID } from '../cassandra/orders.ts';
import { bind, type Bound } from '../cassandra/statement.ts';
import { openShard, updateFormerLiker, updateShard, type ShardStatics } from './tables.ts';

/** What a shard of likers says of itself, in its static columns. */

/** The former liker who keeps a shard's static columns readable by key, for good; nobody ever was. */
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
  /** Whether it is full. */
  readonly closed: boolean;
  /** Whether it is counted in the sum of its block, once that is there. */
  readonly summed: boolean;
}

/** Of a shard that is not there yet. */
export const NO_SHARD: ShardState = { version: 0, likeCount: 0, rowCount: 0, closed: false, summed: false };

export const stateOf = (row: ShardStatics): ShardState => ({
  version: row.shard_version,
  likeCount: row.like_count,
  rowCount: row.row_count,
  closed: row.closed,
  summed: row.summed,
});

/** The writes that take a shard from one state to the next, on condition that it is still in the former one. */
export function changedState(
  key: { readonly likeable_id: string; readonly shard: number },
  before: ShardState,
  after: ShardState,
): Bound[] {
  const { version, likeCount, rowCount, closed, summed } = after;
  const columns = { ...key, next_version: version, like_count: likeCount, row_count: rowCount, closed, summed };
  if (before.version > 0) return [bind(updateShard, { ...columns, current_version: before.version })];
  return [bind(openShard, columns), bind(updateFormerLiker, { ...key, ...SENTINEL })];
}
