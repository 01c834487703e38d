import pLimit from 'p-limit';
import { z } from 'zod';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/row-loader.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf } from '../graphql/ids.ts';
import { likes } from './aggregate.ts';
import type { Likeable } from './likeables.ts';
import { likeCounts } from './loaders.ts';
import { nextMerge, type Merge } from './merges.ts';
import { shardCounts } from './published.ts';
import { generationOf, shardsOfBlock } from './shards.ts';
import { likers } from './tables.ts';

/**
 * The job that merges shards with few likes, by moving the likes of one to another, each by its own state: a transaction like every other
 * change of it, but nobody's, so that nothing else follows from it. While one is moved the state names both shards.
 */

const LIKES_PER_PAGE = 100;
const LIKES_AT_ONCE = 32;

/** In a merge: behind a liker of the shard that is emptied; unset: it is not begun. */
const mergePosition = z.strictObject({ from: z.int(), to: z.int(), after: likers.cursor.optional() });
type MergePosition = z.output<typeof mergePosition>;

/**
 * Makes the handler that merges shards of the likes of a book or copy. Which ones are next is stored before they are begun.
 */
export const mergeLikesOf =
  (type: Likeable['type']): JobHandler =>
  async (app, key, position) => {
    const likeableId = subjectOf({ type, key });
    const merge = position === '' ? undefined : mergePosition.parse(JSON.parse(position));
    const next = (merge && (await moveSome(app, likeableId, merge))) ?? (await plannedFor(app, likeableId));
    // What is still in a shard that was gone through came meanwhile, or has drifted: it is left for another time.
    const isDone = next === undefined || (next.after === undefined && next.from === merge?.from);
    return isDone ? undefined : JSON.stringify(z.encode(mergePosition, next));
  };

/** What is to be merged next, by what the shards say of themselves; nothing while the thing is liked in stripes. */
async function plannedFor(app: AppContext, likeableId: string): Promise<MergePosition | undefined> {
  const counts = await likeCounts(app).load(likeableId);
  if (!counts || counts.stripes > 1) return undefined;

  const { shards, sums, newestShard } = counts;
  const open = generationOf(newestShard);
  const wanted = [...new Set([...shards, ...sums.flatMap(shardsOfBlock), open])];
  const read = await Promise.all(
    keysInParts(wanted, KEYS_PER_STATEMENT).map((some) => shardCounts(app.cassandra, [likeableId], some)),
  );
  const fills = read
    .flat()
    .map(({ shard, like_count: likeCount, row_count: rowCount }) => ({ shard, likeCount, rowCount }));
  return nextMerge(fills, newestShard, app.config.likeShardRowsMax);
}

/**
 * Moves a page of the likes of a shard, the newest first: those that are left in it are older than those that have gone to a newer one.
 * @returns where the page ended, `undefined` when all are done
 */
async function moveSome(app: AppContext, likeableId: string, merge: MergePosition): Promise<MergePosition | undefined> {
  const { from, after } = merge;
  const slice = { descending: true, from: after, limit: LIKES_PER_PAGE };
  const page = await likers.read(app.cassandra, { likeable_id: likeableId, shard: from, liked: true }, slice);
  await pLimit(LIKES_AT_ONCE).map(page, ({ user_id: userId }) => moveLike(app, { userId, likeableId }, merge));

  const last = page.at(-1);
  return last && page.length === LIKES_PER_PAGE ? { ...merge, after: likers.positionOf(last) } : undefined;
}

async function moveLike(app: AppContext, key: { userId: string; likeableId: string }, { from, to }: Merge) {
  const state = await likes.read(app, key);
  if (!state?.liked) return;

  // Who began to move it may have died.
  if (state.former_shard === from) await likes.repair(app, key);
  if (state.shard !== from) return;
  const moved = { ...state, shard: to };
  await likes.rearrange(app, key, state, { ...moved, former_shard: from }, { ...moved, former_shard: null });
}
