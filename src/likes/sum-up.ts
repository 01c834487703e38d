import pLimit from 'p-limit';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf } from '../graphql/ids.ts';
import { groupCommit } from './group-commit.ts';
import type { Likeable } from './likeables.ts';
import { likeCounts } from './loaders.ts';
import { replaceBySum } from './published.ts';
import { shardsOfBlock } from './shards.ts';

/** The job that sums up the counts of older blocks of shards, so that the count of what very many like is a few rows. */

const SHARDS_AT_ONCE = 8;
/**
 * Makes the handler that sums up the blocks of the likes of a book or copy, one a page. Which one is next is stored before it is begun:
 * one that is begun is finished, however few counts there are meanwhile.
 */
export const sumUpLikesOf =
  (type: Likeable['type']): JobHandler =>
  async (app, key, position) => {
    const likeableId = subjectOf({ type, key });
    if (position !== '') await sumUp(app, likeableId, Number(position));
    const next = (await likeCounts(app).load(likeableId))?.blockToSumUp?.toString();
    // Counts that stay where they are, by whoever's hand, are not summed up for ever.
    return next === position ? undefined : next;
  };

async function sumUp(app: AppContext, likeableId: string, block: number): Promise<void> {
  await pLimit(SHARDS_AT_ONCE).map(shardsOfBlock(block), (shard) => groupCommit(app).markSummed(likeableId, shard));
  await replaceBySum(app.cassandra, likeableId, block);
}
