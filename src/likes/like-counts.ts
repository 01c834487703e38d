import { nextMerge } from './merges.ts';
import { countsInForce, type PublishedCount } from './published.ts';
import { BLOCK_SHARDS, blockOf } from './shards.ts';

/** What is published of a likeable, and how its counts are to be kept. */
interface Published {
  readonly likeableId: string;
  /** The lowest shard first. */
  readonly published: readonly PublishedCount[];
  /** How many stripes are open; 1 where one shard is. */
  readonly stripes: number;
  /** So many likes a shard holds. */
  readonly rowsMax: number;
}

/** How many like a likeable, by its shards. Thousands are kept: what hardly anybody asks for is made when somebody does. */
export class LikeCounts {
  readonly likeableId: string;
  readonly likeCount: number;
  readonly stripes: number;
  readonly #published: readonly PublishedCount[];
  readonly #inForce: readonly PublishedCount[];
  readonly #rowsMax: number;

  constructor({ likeableId, published, stripes, rowsMax }: Published) {
    this.likeableId = likeableId;
    this.stripes = stripes;
    this.#published = published;
    this.#inForce = countsInForce(published);
    this.#rowsMax = rowsMax;
    this.likeCount = this.#inForce.reduce((total, { likeCount }) => total + likeCount, 0);
  }

  /** Those that have likes, but for those of blocks that are summed up. */
  get shards(): number[] {
    return this.#inForce.flatMap(({ shard, likeCount, isSum }) => (likeCount > 0 && !isSum ? shard : []));
  }

  /** The blocks that are summed up, and have likes. */
  get sums(): number[] {
    return this.#inForce.flatMap(({ shard, likeCount, isSum }) => (likeCount > 0 && isSum ? blockOf(shard) : []));
  }

  get newestShard(): number {
    return this.#published.at(-1)?.shard ?? 0;
  }

  /** The oldest block with several counts, where too many shards have one of their own; the newest block is not summed up. */
  get blockToSumUp(): number | undefined {
    // Also counts that are not in force any more: their sum was published by somebody else than who sums up, who goes on.
    const ofShards = this.#published.filter(({ isSum }) => !isSum);
    if (ofShards.length <= BLOCK_SHARDS) return undefined;

    const newestBlock = blockOf(this.newestShard);
    const byBlock = [...Map.groupBy(ofShards, ({ shard }) => blockOf(shard))];
    return byBlock.find(([block, counts]) => block < newestBlock && counts.length > 1)?.[0];
  }

  /** Whether some shards may hold so few likes that they are to be merged, as far as that is known without the shards themselves. */
  get isScattered(): boolean {
    // What is liked in stripes at this moment is left as it is.
    if (this.stripes > 1) return false;
    const own = this.#inForce.filter(({ isSum }) => !isSum);
    const fills = own.map((count) => ({ ...count, rowCount: count.likeCount }));
    return nextMerge(fills, this.newestShard, this.#rowsMax) !== undefined;
  }

  /** The counts as they are once one shard, which is in no sum, has so many likes. */
  with(shard: number, likeCount: number): LikeCounts {
    const others = this.#published.filter((count) => count.shard !== shard);
    const published = [...others, { shard, likeCount, isSum: false }].toSorted((one, other) => one.shard - other.shard);
    const { likeableId, stripes } = this;
    return new LikeCounts({ likeableId, published, stripes, rowsMax: this.#rowsMax });
  }
}
