import pLimit from 'p-limit';
import type { JobHandler } from '../context/context.ts';
import { groupCommit } from './group-commit.ts';
import { likeCounts } from './loaders.ts';
import { shardsOfBlock } from './numbering.ts';
import { announcedCounts, replaceBySum } from './publishing.ts';

const SHARDS_AT_ONCE = 8;

/**
 * Does the job that sums up the counts of older blocks of shards, one block a page, so that the
 * count of what very many like takes a few rows. The next block is stored before it is begun, so a
 * block that is begun is finished, however few counts are left meanwhile.
 */
export const sumUpLikers: JobHandler = async (app, _key, position, likeableId) => {
  if (position !== '') {
    const block = Number(position);
    await pLimit(SHARDS_AT_ONCE).map(shardsOfBlock(block), (shard) => groupCommit(app).markSummed(likeableId, shard));
    await replaceBySum(app.cassandra, likeableId, block, announcedCounts(app, likeableId));
  }

  const next = (await likeCounts(app).load(likeableId))?.blockToSumUp?.toString();
  // Counts that remain after their sum was published are not summed up for ever.
  return next === position ? undefined : next;
};
