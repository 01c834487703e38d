import { LOWEST_UUID } from '../cassandra/orders.ts';
import { bind, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import { DAY_SECONDS } from '../time/units.ts';
import { EMPTY, type Histogram } from './histogram.ts';
import { bookOfRatings, tablesOf, type ShardStatics } from './tables.ts';

/**
 * A shard of likers: its state, which its static columns hold, its rows, and the writes that change
 * both.
 */

/**
 * A row of no real reader among the former likers. Every shard keeps it permanently, because static
 * columns can be read by key only together with a row.
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
  /** True if release 1.0.0 has marked the shard as counted in a sum (`former-sums.ts`). */
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
  summed: row.summed ?? false,
});

/** The number of a shard, and its state. */
export interface NumberedState extends ShardState {
  readonly shard: number;
}

/**
 * Reads the states of the shards of some likeables by key. Shards that do not exist are missing.
 * @param likeableIds all of likes, or all of ratings
 * @returns the states by likeable
 */
export async function readStates(
  cassandra: Cassandra,
  likeableIds: readonly string[],
  shards: readonly number[],
): Promise<Map<string, NumberedState[]>> {
  const { liked, liked_at, user_id } = SENTINEL;
  const keys = { likeable_ids: [...likeableIds], shards: [...shards] };
  const { selectShardCounts } = tablesOf(likeableIds[0] ?? '');
  const found = await rows(cassandra, selectShardCounts, { ...keys, liked, liked_at, user_id });

  const states = new Map<string, NumberedState[]>();
  for (const row of found) {
    const ofLikeable = states.get(row.likeable_id) ?? [];
    ofLikeable.push({ shard: row.shard, ...stateOf(row) });
    states.set(row.likeable_id, ofLikeable);
  }
  return states;
}

/** Returns the column of a histogram, which only ratings have. */
export const histogramColumn = (likeableId: string, histogram: Histogram) =>
  bookOfRatings(likeableId) === undefined ? {} : { histogram: [...histogram] };

/** Returns the column of a mark, which only likes have. */
const markColumn = (likeableId: string, summed: boolean) => (bookOfRatings(likeableId) === undefined ? { summed } : {});

/**
 * Returns the writes that change a shard's state, on condition that it still has the former one.
 */
export function changedState(
  key: { readonly likeable_id: string; readonly shard: number },
  before: ShardState,
  after: ShardState,
): Bound[] {
  const { likeable_id: likeableId } = key;
  const { openShard, updateFormerLiker, updateShard } = tablesOf(likeableId);
  const { version, likeCount, rowCount, closed, summed, histogram } = after;
  const state = { next_version: version, like_count: likeCount, row_count: rowCount, closed };
  const ofKind = { ...markColumn(likeableId, summed), ...histogramColumn(likeableId, histogram) };
  const columns = { ...key, ...state, ...ofKind };
  if (before.version > 0) return [bind(updateShard, { ...columns, current_version: before.version })];
  return [bind(openShard, columns), bind(updateFormerLiker, { ...key, ...SENTINEL })];
}

/** The time that a former like is kept, so that a late repetition finds the newer version. */
const FORMER_LIKE_SECONDS = DAY_SECONDS;

/** The name of a reader in the row of a like, and who may see it. */
interface ShownLike {
  readonly fullName: string;
  readonly audience: Audience;
}

/** The rating in the row of a rating, in quarters of a star, from 1 to 20. */
interface ShownRating {
  readonly quarters: number;
}

/** One reader's like, or rating, of the shard's likeable, as the source of truth has it. */
export interface Change {
  readonly userId: string;
  readonly likedAt: Date;
  readonly version: number;
  /** `undefined` once it is taken back. */
  readonly shown: ShownLike | ShownRating | undefined;
  /**
   * A moment of this process's monotonic clock, in ms, before which the like was not decided, so
   * none of its rows was written before. Unset if a row may have been written.
   */
  readonly newSince?: number | undefined;
}

/** The name of a like, unique within its likeable. */
export const nameOfLike = ({ userId, likedAt }: Pick<Change, 'userId' | 'likedAt'>): string =>
  `${userId} ${likedAt.getTime()}`;

export const quartersOf = (shown: Change['shown']): number | undefined =>
  shown && 'quarters' in shown ? shown.quarters : undefined;

/**
 * Returns the writes of a change. Likers and former likers are in two slices, so that pages of
 * likers do not read former ones.
 */
export function writesOf(shard: { likeable_id: string; shard: number }, change: Change, wasLiked: boolean): Bound[] {
  const { deleteLiker, updateFormerLiker, updateLiker } = tablesOf(shard.likeable_id);
  const { userId, version, likedAt, shown } = change;
  const key = { ...shard, liked_at: likedAt, user_id: userId };
  const liker = { ...key, liked: true };
  if (shown) return [bind(updateLiker, { ...liker, version, ...columnsOf(shown) })];

  const former = bind(updateFormerLiker, { ...key, liked: false, version, kept_seconds: FORMER_LIKE_SECONDS });
  return wasLiked ? [bind(deleteLiker, liker), former] : [former];
}

const columnsOf = (shown: ShownLike | ShownRating) =>
  'quarters' in shown ? shown : { full_name: shown.fullName, audience: shown.audience };
