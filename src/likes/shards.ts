/**
 * How the shards of a likeable are numbered: in blocks of 64. Those of an even block follow each other: one is open at a time, and each is
 * newer than all before it. Those of an odd block are stripes: open side by side for what many servers are asked to like at once, and
 * as old as each other. A block is newer than all before it.
 */

/** So many shards have a number in each block; as many stripes may be open at once. */
export const BLOCK_SHARDS = 64;

/** Whether a shard is one of several that may be open at once. */
export const isStripe = (shard: number): boolean => blockOf(shard) % 2 === 1;

const blockBegin = (shard: number) => shard - (shard % BLOCK_SHARDS);

export const blockOf = (shard: number): number => Math.floor(shard / BLOCK_SHARDS);

/** The numbers of the shards of a block, the lowest first. */
export const shardsOfBlock = (block: number): number[] =>
  Array.from({ length: BLOCK_SHARDS }, (_, index) => block * BLOCK_SHARDS + index);

/** The first one of the shards that are as old as one: of a block of stripes the first stripe, else the shard itself. */
export const generationOf = (shard: number): number => (isStripe(shard) ? blockBegin(shard) : shard);

/** The shard that opens when one is full; after stripes, one is open at a time again. */
export function nextShard(shard: number): number {
  if (isStripe(shard)) return blockBegin(shard) + BLOCK_SHARDS;
  const isLast = (shard + 1) % BLOCK_SHARDS === 0;
  return isLast ? shard + 1 + BLOCK_SHARDS : shard + 1;
}

/**
 * A stripe that may be open when a shard is the newest one.
 * @param stripe from 0 to 63
 */
export const stripeBeside = (newestShard: number, stripe: number): number =>
  (isStripe(newestShard) ? blockBegin(newestShard) : blockBegin(newestShard) + BLOCK_SHARDS) + stripe;
