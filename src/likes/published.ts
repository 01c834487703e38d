import { batch, bind, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { SENTINEL, type ShardState } from './shard-state.ts';
import { blockOf, nextShard, shardsOfBlock } from './shards.ts';
import { deleteCount, deleteCountsBehind, selectCounts, selectShardCounts, updateCount, updateSum } from './tables.ts';

/**
 * The counts that everybody reads: of each shard, and of blocks that are long full one sum, so that many likes cost no more to read than
 * few.
 *
 * A count is stamped with the version of its shard, a sum with the versions of all shards of its block together. Those only
 * increase, so of two sums the one that saw more stays. Whoever changes a shard reads those of its block after that, at one moment: of two
 * such sums one has all that the other one has, so what was in one that was published stays.
 *
 * A block is summed up in two steps. First each of its shards is marked, also those that are not there, so that all who change one from then on
 * know of it. They write its own count as before, and look whether all shards are marked; then they write the sum. Second, whoever sums
 * up reads all shards, and writes the sum and takes the counts away in one mutation. A change that did not find all marked was
 * committed before that reading, so it is in the sum.
 */

/** Later than every version of a shard: what has been taken away does not come back. */
const LAST_VERSION = 2n ** 31n;

/** A count that is public. */
export interface PublishedCount {
  readonly shard: number;
  readonly likeCount: number;
  /** Whether it is that of the whole block of which the shard is the first one. */
  readonly isSum: boolean;
}

/** Those that count: that of a shard whose block is summed up is not, should it be there. */
export function countsInForce<Count extends PublishedCount>(published: readonly Count[]): readonly Count[] {
  const summed = new Set(published.flatMap(({ shard, isSum }) => (isSum ? blockOf(shard) : [])));
  if (summed.size === 0) return published;
  return published.filter(({ shard, isSum }) => isSum || !summed.has(blockOf(shard)));
}

/**
 * The write that makes a shard's count public, where nothing else is to be done for that and somebody may write other things first: of
 * the first shard, as who looks for a like looks there whatever is counted.
 */
export const countWrite = (likeableId: string, shard: number, state: ShardState): Bound | undefined =>
  shard > 0 || state.closed || state.summed
    ? undefined
    : bind(updateCount, {
        likeable_id: likeableId,
        shard,
        like_count: state.likeCount,
        shard_version: BigInt(state.version),
      });

/**
 * Makes a shard's count public, and opens the next shard once this one is full. One that is full, and of which every like was taken
 * back, has no count any more.
 */
export async function publishCount(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
  state: ShardState,
): Promise<void> {
  const key = { likeable_id: likeableId, shard };
  const version = BigInt(state.version);
  const isGone = state.closed && state.likeCount === 0;
  const writes = [
    isGone
      ? bind(deleteCount, { ...key, version })
      : bind(updateCount, { ...key, like_count: state.likeCount, shard_version: version }),
  ];
  if (!state.summed) {
    const next = { likeable_id: likeableId, shard: nextShard(shard), like_count: 0, shard_version: 0n };
    if (state.closed) writes.push(bind(updateCount, next));
    return batch(cassandra, writes);
  }
  // In one mutation: the row of the first shard has the sum, which its own count must never be seen in place of.
  const sum = await sumOf(cassandra, likeableId, blockOf(shard));
  if (sum.isComplete) writes.push(writeOf(likeableId, blockOf(shard), sum));
  return batch(cassandra, writes);
}

/**
 * Makes the sum of a block public in place of the counts of its shards.
 * @throws where one of them is not marked as summed
 */
export async function replaceBySum(cassandra: Cassandra, likeableId: string, block: number): Promise<void> {
  const sum = await sumOf(cassandra, likeableId, block);
  if (!sum.isComplete) throw new Error(`The block ${block} of ${likeableId} has shards that are not to be summed up`);

  const [first = 0, last = first] = [shardsOfBlock(block)[0], shardsOfBlock(block).at(-1)];
  const counts = bind(deleteCountsBehind, { likeable_id: likeableId, first, last, version: LAST_VERSION });
  await batch(cassandra, [writeOf(likeableId, block, sum), counts]);
}

/** What the shards of a block say of themselves. */
export interface BlockSum {
  readonly version: bigint;
  readonly likeCount: number;
  /** Those that have likes. */
  readonly shards: readonly number[];
  /** Whether all shards are marked as summed. */
  readonly isComplete: boolean;
}

/** So often a block that always changes is read. */
const LOOKS = 5;

/**
 * What all shards of a block say at one moment: they are read until two looks see the same. Of a block that always changes, what was seen
 * last: who changes it looks as well.
 */
export async function sumOf(cassandra: Cassandra, likeableId: string, block: number): Promise<BlockSum> {
  let seen = await readBlock(cassandra, likeableId, block);
  for (let looks = 1; looks < LOOKS; looks++) {
    const before = seen;
    seen = await readBlock(cassandra, likeableId, block);
    if (seen.version === before.version && seen.isComplete === before.isComplete) return seen;
  }
  return seen;
}

/** What the shards of some likeables say of themselves, as far as they are there; each pair is a key of the statement. */
export function shardCounts(cassandra: Cassandra, likeableIds: readonly string[], shards: readonly number[]) {
  const { liked, liked_at, user_id } = SENTINEL;
  const keys = { likeable_ids: [...likeableIds], shards: [...shards] };
  return rows(cassandra, selectShardCounts, { ...keys, liked, liked_at, user_id });
}

/** Reads all shards of a block once: each as it was at some moment. */
export async function readBlock(cassandra: Cassandra, likeableId: string, block: number): Promise<BlockSum> {
  const all = shardsOfBlock(block);
  const shards: number[] = [];
  let [version, likeCount, marked] = [0n, 0, 0];
  for (const row of await shardCounts(cassandra, [likeableId], all)) {
    version += BigInt(row.shard_version);
    likeCount += row.like_count;
    marked += Number(row.summed);
    if (row.like_count > 0) shards.push(row.shard);
  }
  return { version, likeCount, shards, isComplete: marked === all.length };
}

/** A row of `like_counts`, as far as it tells of a shard. */
interface CountRow {
  readonly shard: number | null;
  readonly like_count: number | null;
  readonly summed: boolean | null;
}

/** The count that a row makes public; none where stripes were opened before any shard was, which leaves a row without a shard. */
export const publishedCountOf = ({ shard, like_count, summed }: CountRow): PublishedCount | undefined =>
  shard === null ? undefined : { shard, likeCount: like_count ?? 0, isSum: summed ?? false };

/** The counts of a likeable as they are public, the lowest shard first. */
async function publishedCounts(cassandra: Cassandra, likeableId: string): Promise<PublishedCount[]> {
  const found = await rows(cassandra, selectCounts, { likeable_ids: [likeableId] });
  return found.map(publishedCountOf).filter((count) => count !== undefined);
}

/**
 * Whether what is public of a shard is what it says itself. Where it is counted in a sum, that is looked at with the first shard of its block
 * alone.
 */
export async function isPublished(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
  { likeCount, closed }: ShardState,
): Promise<boolean> {
  const counts = await publishedCounts(cassandra, likeableId);
  const [first] = shardsOfBlock(blockOf(shard));
  const sum = counts.find((count) => count.isSum && count.shard === first);
  if (sum) return shard !== first || sum.likeCount === (await sumOf(cassandra, likeableId, blockOf(shard))).likeCount;

  const own = counts.find((count) => count.shard === shard);
  return (own?.likeCount ?? (closed ? 0 : undefined)) === likeCount;
}

function writeOf(likeableId: string, block: number, { likeCount, version }: BlockSum): Bound {
  const key = { likeable_id: likeableId, shard: shardsOfBlock(block)[0] ?? 0 };
  if (likeCount === 0) return bind(deleteCount, { ...key, version });
  return bind(updateSum, { ...key, like_count: likeCount, summed: true, version });
}
