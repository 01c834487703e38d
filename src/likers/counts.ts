import { nextMerge } from './merge-plan.ts';
import { BLOCK_SHARDS, blockOf } from './numbering.ts';
import { countsInForce, type PublishedCount } from './publishing.ts';

/** The published counts of a likeable, and the parameters by which they are kept. */
interface Published {
  readonly likeableId: string;
  /** The lowest shard first. */
  readonly published: readonly PublishedCount[];
  /** The number of open stripes; 1 if a single shard is open. */
  readonly stripes: number;
  /** The number of rows of a full shard. */
  readonly rowsMax: number;
}

/**
 * The number of likes of a likeable, by its shards. Thousands are kept in memory, so what is rarely
 * asked for is computed on demand.
 */
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

  /** The shards that have likes, without those of blocks that are summed up. */
  get shards(): number[] {
    return this.#inForce.flatMap(({ shard, likeCount, isSum }) => (likeCount > 0 && !isSum ? shard : []));
  }

  /** The blocks that are summed up and have likes. */
  get sums(): number[] {
    return this.#inForce.flatMap(({ shard, likeCount, isSum }) => (likeCount > 0 && isSum ? blockOf(shard) : []));
  }

  /** Returns whether other counts are of the same shards with likes. */
  areOfShardsOf(other: LikeCounts): boolean {
    return this.shards.join() === other.shards.join() && this.sums.join() === other.sums.join();
  }

  get newestShard(): number {
    return this.#published.at(-1)?.shard ?? 0;
  }

  /**
   * The oldest block with several counts, if too many shards have a count of their own. The newest
   * block is never summed up.
   */
  get blockToSumUp(): number | undefined {
    // Counts that are no longer in force are included: another process may publish the sum before
    // the one that sums up has removed them.
    const ofShards = this.#published.filter(({ isSum }) => !isSum);
    if (ofShards.length <= BLOCK_SHARDS) return undefined;

    const newestBlock = blockOf(this.newestShard);
    const byBlock = [...Map.groupBy(ofShards, ({ shard }) => blockOf(shard))];
    return byBlock.find(([block, counts]) => block < newestBlock && counts.length > 1)?.[0];
  }

  /** True if shards may have so few likes that they are to be merged, as far as the counts tell. */
  get isScattered(): boolean {
    // A thing that is being liked in stripes is left as it is.
    if (this.stripes > 1) return false;
    const own = this.#inForce.filter(({ isSum }) => !isSum);
    const fills = own.map((count) => ({ ...count, rowCount: count.likeCount }));
    return nextMerge(fills, this.newestShard, this.#rowsMax) !== undefined;
  }

  /** Returns the counts with another count of one shard that is in no sum. */
  with(shard: number, { likeCount, histogram }: Pick<PublishedCount, 'likeCount' | 'histogram'>): LikeCounts {
    const others = this.#published.filter((count) => count.shard !== shard);
    const published = [...others, { shard, likeCount, histogram, isSum: false }].toSorted(
      (one, other) => one.shard - other.shard,
    );
    const { likeableId, stripes } = this;
    return new LikeCounts({ likeableId, published, stripes, rowsMax: this.#rowsMax });
  }
}
