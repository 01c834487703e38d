import { bind, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { blockOf, shardsOfBlock } from './numbering.ts';
import { readStates, type NumberedState } from './shard.ts';
import { likeTables, updateSum } from './tables.ts';

/**
 * The sums of release 1.0.0. Its servers replaced the counts of an old block of 64 shards by one
 * row, the row of the first shard. In it `summed` is set, the count is the sum of the shards, and
 * the write timestamp is the sum of their versions. Before that they marked every shard of the
 * block (`summed` in its state), so that a server that changes a shard afterwards writes the sum
 * again.
 *
 * This release makes no sums. It reads the shards themselves in place of a sum, because the
 * replaced counts cannot be written again: their tombstone is higher than every version. It keeps a
 * sum right for servers of 1.0.0, which may run at the same time, or later if operators downgrade:
 * as in that release, a change of a marked shard writes the sum. A server of 1.0.0 that is making a
 * sum at this moment misses nothing: it reads the shards after it has marked all of them, and a
 * change that did not find them marked was committed before.
 *
 * A release that cannot run together with 1.0.0 needs only {@link withoutSums}.
 */

/** A stored published count. */
interface StoredCount {
  readonly shard: number;
  /** True if it is the sum of the block that begins with the shard. */
  readonly isSum: boolean;
}

/** Replaces each sum, and the counts that it hides, by the states of the shards of its block. */
export async function withoutSums<Count extends StoredCount>(
  cassandra: Cassandra,
  likeableId: string,
  counts: readonly Count[],
): Promise<readonly (Count | NumberedState)[]> {
  const blocks = new Set(counts.flatMap(({ shard, isSum }) => (isSum ? blockOf(shard) : [])));
  if (blocks.size === 0) return counts;

  const states = await Promise.all([...blocks].map((block) => statesOfBlock(cassandra, likeableId, block)));
  const others = counts.filter(({ shard }) => !blocks.has(blockOf(shard)));
  return [...others, ...states.flat()].toSorted((one, other) => one.shard - other.shard);
}

/**
 * Returns the write that updates the sum of a shard's block; none unless all shards of the block
 * are marked. It must be in one mutation with the shard's own count: the first shard's row holds
 * the sum, and its own count must never be read as the sum.
 */
export async function sumWrites(cassandra: Cassandra, likeableId: string, shard: number): Promise<Bound[]> {
  const { likeCount, version, isComplete } = await sumOf(cassandra, likeableId, blockOf(shard));
  if (!isComplete) return [];

  const key = { likeable_id: likeableId, shard: firstOfBlock(shard), version };
  return [
    likeCount === 0
      ? bind(likeTables.deleteCount, key)
      : bind(updateSum, { ...key, like_count: likeCount, summed: true }),
  ];
}

/** Returns whether a stored sum is the current sum of its block. */
export async function isSumRight(
  cassandra: Cassandra,
  likeableId: string,
  { shard, likeCount }: { readonly shard: number; readonly likeCount: number },
): Promise<boolean> {
  return (await sumOf(cassandra, likeableId, blockOf(shard))).likeCount === likeCount;
}

/** Returns the first shard of the block of a shard, whose row holds the sum. */
export const firstOfBlock = (shard: number): number => shardsOfBlock(blockOf(shard))[0] ?? 0;

/** The sum of the states of a block's shards. */
interface BlockSum {
  readonly version: bigint;
  readonly likeCount: number;
  /** True if all shards are marked. */
  readonly isComplete: boolean;
}

/** The maximum number of times that a constantly changing block is read. */
const LOOKS = 5;

/**
 * Returns the sum of a block as of one moment: its shards are read until two reads agree. Of two
 * such sums, the one with the higher sum of versions includes all changes in the other. For a block
 * that changes constantly it returns the last read, because each change of the block writes the sum
 * as well.
 */
async function sumOf(cassandra: Cassandra, likeableId: string, block: number): Promise<BlockSum> {
  let seen = await readSum(cassandra, likeableId, block);
  for (let looks = 1; looks < LOOKS; looks++) {
    const before = seen;
    seen = await readSum(cassandra, likeableId, block);
    if (seen.version === before.version && seen.isComplete === before.isComplete) return seen;
  }
  return seen;
}

/** Reads all shards of a block once, not all at the same moment. */
async function readSum(cassandra: Cassandra, likeableId: string, block: number): Promise<BlockSum> {
  const states = await statesOfBlock(cassandra, likeableId, block);
  return {
    version: states.reduce((total, { version }) => total + BigInt(version), 0n),
    likeCount: states.reduce((total, { likeCount }) => total + likeCount, 0),
    isComplete: shardsOfBlock(block).length === states.filter(({ summed }) => summed).length,
  };
}

async function statesOfBlock(cassandra: Cassandra, likeableId: string, block: number): Promise<NumberedState[]> {
  return (await readStates(cassandra, [likeableId], shardsOfBlock(block))).get(likeableId) ?? [];
}
