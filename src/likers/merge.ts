import pLimit from 'p-limit';
import { z } from 'zod';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/by-key.ts';
import type { Aggregate, Version } from '../aggregates/aggregate.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { likeCounts } from './loaders.ts';
import { nextMerge, type Merge } from './merge-plan.ts';
import { generationOf, shardsOfBlock } from './numbering.ts';
import { shardCounts } from './publishing.ts';
import type { Placed } from './operations.ts';
import { likers, tablesOf } from './tables.ts';

const LIKES_PER_PAGE = 100;
const LIKES_AT_ONCE = 32;

/** A merge under way. `after` is the last moved liker; unset at the beginning. */
const mergePosition = z.strictObject({ from: z.int(), to: z.int(), after: likers.cursor.optional() });
type MergePosition = z.output<typeof mergePosition>;

/**
 * Moves one reader's like from a shard to another one, by the like's state: a transaction like
 * every other change of it. A like that is not in the shard any more stays where it is.
 */
export type MoveLike = (app: AppContext, like: { userId: string; likeableId: string }, merge: Merge) => Promise<void>;

/**
 * Makes the move of likes or ratings by their states, as nobody's change. While one is moved its
 * state names both shards.
 * @param isListed returns false for one that was taken back
 */
export const movedBy =
  <Key, State extends Version & Omit<Placed, 'liked_at'>>(
    { read, repair, rearrange }: Aggregate<Key, State>,
    keyOf: (like: Parameters<MoveLike>[1]) => Key,
    isListed: (state: State) => boolean,
  ): MoveLike =>
  async (app, like, { from, to }) => {
    const key = keyOf(like);
    const state = await read(app, key);
    if (!state || !isListed(state)) return;

    // The process that began to move it may have died.
    if (state.former_shard === from) await repair(app, key);
    if (state.shard !== from) return;
    const moved = { ...state, shard: to };
    await rearrange(app, key, state, { ...moved, former_shard: from }, { ...moved, former_shard: null });
  };

/**
 * Makes the handler of the job that merges shards with few likes. The next merge is stored before
 * it is begun.
 */
export const mergeLikers =
  (move: MoveLike): JobHandler =>
  async (app, _key, position, likeableId) => {
    const merge = position === '' ? undefined : mergePosition.parse(JSON.parse(position));
    const next = (merge && (await moveSome(app, likeableId, merge, move))) ?? (await plannedFor(app, likeableId));
    // Likes that are still in a finished shard came meanwhile, or have drifted. They are left for
    // another time.
    const isDone = next === undefined || (next.after === undefined && next.from === merge?.from);
    return isDone ? undefined : JSON.stringify(z.encode(mergePosition, next));
  };

/** Plans the next merge by the states of the shards; none while the thing is liked in stripes. */
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
 * Moves a page of the likes of a shard, the newest first, so that the ones left in it are older
 * than those that have gone to a newer shard.
 * @returns the end of the page, `undefined` when all are done
 */
async function moveSome(
  app: AppContext,
  likeableId: string,
  merge: MergePosition,
  move: MoveLike,
): Promise<MergePosition | undefined> {
  const { from, after } = merge;
  const slice = { descending: true, from: after, limit: LIKES_PER_PAGE };
  const page = await tablesOf(likeableId).places.read(
    app.cassandra,
    { likeable_id: likeableId, shard: from, liked: true },
    slice,
  );
  await pLimit(LIKES_AT_ONCE).map(page, ({ user_id: userId }) => move(app, { userId, likeableId }, merge));

  const last = page.at(-1);
  return last && page.length === LIKES_PER_PAGE ? { ...merge, after: likers.positionOf(last) } : undefined;
}
