import { perProcess, type AppContext } from '../context/context.ts';
import type { List } from '../graphql/connections.ts';
import { sealed } from '../graphql/sealed.ts';
import type { LikeCounts } from './counts.ts';
import { generationOf } from './numbering.ts';
import { likers } from './tables.ts';

/** A row of the list of likers. */
export type LikerRow = Awaited<ReturnType<typeof likers.read>>[number];

/** The position of a row in the list, which its cursor holds. */
type LikerPosition = ReturnType<typeof likers.positionOf>;

/**
 * The codec of cursors, made once because it costs as much as a row. Cursors are sealed because
 * they name readers whom the caller may not see.
 */
const likersCursor = perProcess(({ config }) => sealed(config, likers.cursor));

/**
 * Returns the list of the likers of a likeable, newest like first.
 * @param counts its counts, which name the shards with likes
 */
export function shardList(
  app: AppContext,
  likeableId: string,
  { shards }: Pick<LikeCounts, 'shards'>,
): List<LikerRow, LikerPosition> {
  // The other shards have no likers, and may have many deleted rows.
  const byGeneration = Map.groupBy(shards, generationOf);
  const generations = [...byGeneration.keys()];
  const shardsOf = (generation: number): readonly number[] => byGeneration.get(generation) ?? [];

  const buckets = {
    column: 'shard',
    values: generations,
    of: ({ shard }: { shard: number }) => generationOf(shard),
  } as const;
  const list = likers.list(
    app.cassandra,
    { likeable_id: likeableId, liked: true },
    { buckets, sides: { column: 'shard', of: shardsOf } },
  );

  return {
    ...list,
    name: `likers ${likeableId}`,
    descending: true,
    cursor: likersCursor(app),
    // The shard of a cursor may have no likes any more. Release 1.0.0 moved likes to another shard
    // of the same generation, or to a newer one. Two likes of the same millisecond may change their
    // order by that.
    locate: (position) => {
      const newer = generations.filter((generation) => generation >= generationOf(position.shard));
      const ofNext = newer.length > 0 ? shardsOf(Math.min(...newer)) : [];
      const isThere = ofNext.length === 0 || ofNext.includes(position.shard);
      return Promise.resolve(isThere ? position : { ...position, shard: Math.min(...ofNext) });
    },
  };
}
