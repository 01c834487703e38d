import type { Cassandra } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import type { List } from '../graphql/connections.ts';
import { sealed } from '../graphql/sealed.ts';
import type { LikeCounts } from './counts.ts';
import { blockOf, generationOf, shardsOfBlock } from './numbering.ts';
import { readBlock } from './publishing.ts';
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
 * The shards of a likeable that have likes, by generation. It leaves out the other shards: they
 * have nothing to show, and may have many deleted rows. Of a block that is summed up it learns the
 * shards with likes when a page reaches the block.
 */
class ShardsWithLikes {
  readonly #cassandra: Cassandra;
  readonly #likeableId: string;
  readonly #sums: readonly number[];
  readonly #ofGeneration: Map<number, readonly number[]>;
  readonly #lookups = new Map<number, Promise<void>>();

  constructor(cassandra: Cassandra, likeableId: string, counts: Pick<LikeCounts, 'shards' | 'sums'>) {
    this.#cassandra = cassandra;
    this.#likeableId = likeableId;
    this.#sums = counts.sums;
    this.#ofGeneration = Map.groupBy(counts.shards, generationOf);
    for (const shard of counts.sums.flatMap(shardsOfBlock)) this.#ofGeneration.set(generationOf(shard), []);
  }

  get generations(): number[] {
    return [...this.#ofGeneration.keys()];
  }

  /** Returns the shards of a generation whose block was looked up. */
  of(generation: number): readonly number[] {
    return this.#ofGeneration.get(generation) ?? [];
  }

  /** Finds the shards with likes of a block, if it is summed up. */
  async lookUp(block: number): Promise<void> {
    if (!this.#sums.includes(block)) return;
    const lookup = this.#lookups.get(block) ?? this.#read(block);
    this.#lookups.set(block, lookup);
    await lookup;
  }

  async #read(block: number): Promise<void> {
    const { shards } = await readBlock(this.#cassandra, this.#likeableId, block);
    for (const [generation, ofIt] of Map.groupBy(shards, generationOf)) this.#ofGeneration.set(generation, ofIt);
  }
}

/**
 * Returns the list of the likers of a likeable, newest like first.
 * @param counts say which shards have likes
 */
export function shardList(
  app: AppContext,
  likeableId: string,
  counts: Pick<LikeCounts, 'shards' | 'sums'>,
): List<LikerRow, LikerPosition> {
  const shards = new ShardsWithLikes(app.cassandra, likeableId, counts);
  const buckets = {
    column: 'shard',
    values: shards.generations,
    of: ({ shard }: { shard: number }) => generationOf(shard),
  } as const;
  const sides = { column: 'shard', of: (generation: number) => shards.of(generation) } as const;
  const list = likers.list(app.cassandra, { likeable_id: likeableId, liked: true }, { buckets, sides });

  return {
    ...list,
    name: `likers ${likeableId}`,
    descending: true,
    cursor: likersCursor(app),
    read: async (generations, slice) => {
      await Promise.all([...new Set(generations.map(blockOf))].map((block) => shards.lookUp(block)));
      return list.read(generations, slice);
    },
    // A like that was moved out of its shard is in another shard of its generation, or in a newer
    // one. Between two likes of the same millisecond the former order is lost then.
    locate: async (position) => {
      const newer = shards.generations.filter((generation) => generation >= generationOf(position.shard));
      for (const generation of newer.toSorted((one, other) => one - other)) {
        await shards.lookUp(blockOf(generation));
        const ofIt = shards.of(generation);
        if (ofIt.length > 0)
          return ofIt.includes(position.shard) ? position : { ...position, shard: Math.min(...ofIt) };
      }
      return position;
    },
  };
}
