import { batch, bind, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { announcement } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { blockOf, nextShard, shardsOfBlock } from './numbering.ts';
import { agree, EMPTY, total, type Histogram } from './histogram.ts';
import { histogramColumn, SENTINEL, type ShardState } from './shard.ts';
import { tablesOf } from './tables.ts';

/**
 * The published counts: one per shard, and one sum for each older block of full shards, so that
 * many likes cost no more to read than few.
 *
 * The write timestamp of a count is the version of its shard; that of a sum is the sum of the
 * versions of its block's shards. Versions only increase, so of two sums the one that saw more
 * stays. Whoever changes a shard reads the shards of its block after that, as of one moment. Of two
 * such sums one includes everything of the other, so a published sum never loses a change.
 *
 * A block is summed up in two steps. First each of its shards is marked, even those that do not
 * exist, so that everybody who changes one afterwards knows of it: they write its own count as
 * before, check if all shards are marked, and then write the sum. Second, the job that sums up
 * reads all shards, and writes the sum and deletes the counts in one mutation. A change that did
 * not find all shards marked was committed before that read, so it is in the sum.
 */

/** Higher than every version of a shard, so that a deleted count does not come back. */
const LAST_VERSION = 2n ** 31n;

/** Returns the write that announces a change of the published counts of a likeable. */
export const announcedCounts = (app: Pick<AppContext, 'clock'>, likeableId: string): Bound =>
  announcement(app, { kind: 'LIKE_COUNTS', key: likeableId });

/** A published count. */
export interface PublishedCount {
  readonly shard: number;
  readonly likeCount: number;
  readonly histogram: Histogram;
  /** True if it is the count of the whole block that begins with the shard. */
  readonly isSum: boolean;
}

/** Leaves out the counts of shards whose block has a sum. */
export function countsInForce<Count extends PublishedCount>(published: readonly Count[]): readonly Count[] {
  const summed = new Set(published.flatMap(({ shard, isSum }) => (isSum ? blockOf(shard) : [])));
  if (summed.size === 0) return published;
  return published.filter(({ shard, isSum }) => isSum || !summed.has(blockOf(shard)));
}

/**
 * Returns the write that publishes a shard's count, if that is one write which the caller may delay
 * and send with others. This holds for the first shard, where readers look for likes whatever its
 * count is.
 */
export const countWrite = (likeableId: string, shard: number, state: ShardState): Bound | undefined =>
  shard > 0 || state.closed || state.summed
    ? undefined
    : bind(tablesOf(likeableId).updateCount, {
        ...countColumns(likeableId, shard, state),
        version: BigInt(state.version),
      });

/** Returns the columns of a published count. */
const countColumns = (likeableId: string, shard: number, { likeCount, histogram }: Counted) => ({
  likeable_id: likeableId,
  shard,
  like_count: likeCount,
  ...histogramColumn(likeableId, histogram),
});

/** The number and the histogram of a shard, or of a block. */
type Counted = Pick<ShardState, 'likeCount' | 'histogram'>;

const NOTHING_COUNTED: Counted = { likeCount: 0, histogram: EMPTY };

/**
 * Publishes a shard's count, and opens the next shard if this one is full. A full shard whose likes
 * were all taken back has no count any more.
 * @param announced the write that announces the change, as servers keep the counts
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

  if (!state.summed) {
    const next = { ...countColumns(likeableId, nextShard(shard), NOTHING_COUNTED), version: 0n };
    if (state.closed) writes.push(bind(updateCount, next));
    return batch(cassandra, [...writes, announced]);
  }

  // Both are one mutation: the first shard's row holds the sum, and its own count must never be
  // seen in place of that.
  const sum = await sumOf(cassandra, likeableId, blockOf(shard));
  if (sum.isComplete) writes.push(writeOf(likeableId, blockOf(shard), sum));
  return batch(cassandra, [...writes, announced]);
}

/**
 * Publishes the sum of a block in place of the counts of its shards.
 * @param announced the write that announces the change
 * @throws if one of them is not marked as summed
 */
export async function replaceBySum(
  cassandra: Cassandra,
  likeableId: string,
  block: number,
  announced: Bound,
): Promise<void> {
  const sum = await sumOf(cassandra, likeableId, block);
  if (!sum.isComplete) throw new Error(`The block ${block} of ${likeableId} has shards that are not to be summed up`);

  const [first = 0, last = first] = [shardsOfBlock(block)[0], shardsOfBlock(block).at(-1)];
  const { deleteCountsBehind } = tablesOf(likeableId);
  const counts = bind(deleteCountsBehind, { likeable_id: likeableId, first, last, version: LAST_VERSION });
  await batch(cassandra, [writeOf(likeableId, block, sum), counts, announced]);
}

/** The sum of the states of a block's shards. */
interface BlockSum {
  readonly version: bigint;
  readonly likeCount: number;
  readonly histogram: Histogram;
  /** The shards that have likes. */
  readonly shards: readonly number[];
  /** True if all shards are marked as summed. */
  readonly isComplete: boolean;
}

/** The maximum number of times that a constantly changing block is read. */
const LOOKS = 5;

/**
 * Returns the states of all shards of a block as of one moment: they are read until two reads
 * agree. Of a block that changes constantly it returns the last read, because whoever changes the
 * block sums it up as well.
 */
async function sumOf(cassandra: Cassandra, likeableId: string, block: number): Promise<BlockSum> {
  let seen = await readBlock(cassandra, likeableId, block);
  for (let looks = 1; looks < LOOKS; looks++) {
    const before = seen;
    seen = await readBlock(cassandra, likeableId, block);
    if (seen.version === before.version && seen.isComplete === before.isComplete) return seen;
  }
  return seen;
}

/**
 * Reads the states of the shards of some likeables by key. Shards that do not exist are missing.
 * @param likeableIds those of likes, or those of ratings
 */
export function shardCounts(cassandra: Cassandra, likeableIds: readonly string[], shards: readonly number[]) {
  const { liked, liked_at, user_id } = SENTINEL;
  const keys = { likeable_ids: [...likeableIds], shards: [...shards] };
  const { selectShardCounts } = tablesOf(likeableIds[0] ?? '');
  return rows(cassandra, selectShardCounts, { ...keys, liked, liked_at, user_id });
}

/** Reads all shards of a block once, each as of some moment. */
export async function readBlock(cassandra: Cassandra, likeableId: string, block: number): Promise<BlockSum> {
  const all = shardsOfBlock(block);
  const shards: number[] = [];
  let [version, likeCount, marked] = [0n, 0, 0];
  const found = await shardCounts(cassandra, [likeableId], all);
  for (const row of found) {
    version += BigInt(row.shard_version);
    likeCount += row.like_count;
    marked += Number(row.summed);
    if (row.like_count > 0) shards.push(row.shard);
  }
  const histogram = total(found.map((row) => row.histogram ?? EMPTY));
  return { version, likeCount, histogram, shards, isComplete: marked === all.length };
}

/** The columns of a row of counts that concern a shard. */
interface CountRow {
  readonly shard: number | null;
  readonly like_count: number | null;
  readonly summed: boolean | null;
  readonly histogram?: Histogram;
}

/**
 * Returns the count that a row publishes. There is none if stripes were opened before any shard,
 * which leaves a row without a shard.
 */
export const publishedCountOf = ({
  shard,
  like_count,
  summed,
  histogram = EMPTY,
}: CountRow): PublishedCount | undefined =>
  shard === null ? undefined : { shard, likeCount: like_count ?? 0, histogram, isSum: summed ?? false };

/** Reads the published counts of a likeable, the lowest shard first. */
async function publishedCounts(cassandra: Cassandra, likeableId: string): Promise<PublishedCount[]> {
  const found = await rows(cassandra, tablesOf(likeableId).selectCounts, { likeable_ids: [likeableId] });
  return found.map(publishedCountOf).filter((count) => count !== undefined);
}

/**
 * Returns whether the published count of a shard agrees with the shard. A sum is compared only for
 * the first shard of its block.
 */
export async function isPublished(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
  state: ShardState,
): Promise<boolean> {
  const counts = await publishedCounts(cassandra, likeableId);
  const [first] = shardsOfBlock(blockOf(shard));
  const sum = counts.find((count) => count.isSum && count.shard === first);
  if (sum) return shard !== first || isSame(sum, await sumOf(cassandra, likeableId, blockOf(shard)));

  const own = counts.find((count) => count.shard === shard);
  return own ? isSame(own, state) : state.closed && isSame(NOTHING_COUNTED, state);
}

const isSame = (one: Counted, other: Counted): boolean =>
  one.likeCount === other.likeCount && agree(one.histogram, other.histogram);

function writeOf(likeableId: string, block: number, sum: BlockSum): Bound {
  const { deleteCount, updateSum } = tablesOf(likeableId);
  const { version } = sum;
  const [shard = 0] = shardsOfBlock(block);
  if (sum.likeCount === 0) return bind(deleteCount, { likeable_id: likeableId, shard, version });
  return bind(updateSum, { ...countColumns(likeableId, shard, sum), summed: true, version });
}
