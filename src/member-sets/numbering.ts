/**
 * The numbers of a likeable's shards, in blocks of 64. In an even block one shard is open at a
 * time, and each shard is newer than all before it. The shards of an odd block are stripes: they
 * are open at the same time while many servers write likes of the same thing, and are of equal age.
 * A block is newer than all blocks before it.
 *
 * When several servers change one shard at once, all but one fail each time. A server that fails
 * opens stripes for a minute. It writes that to the counts, which every server reads before a like,
 * and each server then uses its own stripe. A minute after the last failure, one shard is used
 * again.
 */

/** The number of shards in a block, and the maximum number of stripes that are open at once. */
export const BLOCK_SHARDS = 64;

/** Returns whether a shard is one of several that may be open at once. */
export const isStripe = (shard: number): boolean => blockOf(shard) % 2 === 1;

const blockBegin = (shard: number) => shard - (shard % BLOCK_SHARDS);

export const blockOf = (shard: number): number => Math.floor(shard / BLOCK_SHARDS);

/** Returns the shards of a block, the lowest first. */
export const shardsOfBlock = (block: number): number[] =>
  Array.from({ length: BLOCK_SHARDS }, (_, index) => block * BLOCK_SHARDS + index);

/**
 * Returns the first shard of a shard's generation: the first stripe of its block, or the shard
 * itself if it is no stripe.
 */
export const generationOf = (shard: number): number => (isStripe(shard) ? blockBegin(shard) : shard);

/**
 * Returns the shard that opens when a shard is full. After stripes, one shard is open at a time
 * again.
 */
export function nextShard(shard: number): number {
  if (isStripe(shard)) return blockBegin(shard) + BLOCK_SHARDS;
  const isLast = (shard + 1) % BLOCK_SHARDS === 0;
  return isLast ? shard + 1 + BLOCK_SHARDS : shard + 1;
}

/**
 * Returns a stripe that may be open while a shard is the newest one.
 * @param stripe from 0 to 63
 */
export const shardOfStripe = (newestShard: number, stripe: number): number =>
  (isStripe(newestShard) ? blockBegin(newestShard) : blockBegin(newestShard) + BLOCK_SHARDS) + stripe;

/**
 * Returns the shard for a new like. Any open shard is right, because the like's state names its
 * shard permanently.
 * @param counts the newest shard and the number of open stripes; `undefined` if nobody has liked it
 * @param rank the place of this server in the list of live servers, which every server reads each
 *   second: while all see the same list, no two share a stripe
 */
export function chooseShard(
  counts: { readonly newestShard: number; readonly stripes: number } | undefined,
  rank: number,
): number {
  const { newestShard = 0, stripes = 1 } = counts ?? {};
  return stripes === 1 ? generationOf(newestShard) : shardOfStripe(newestShard, rank % stripes);
}
