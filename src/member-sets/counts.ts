import type { PublishedCount } from './publishing.ts';

/** The published counts of a likeable, the lowest shard first. */
interface Published {
  readonly likeableId: string;
  readonly published: readonly PublishedCount[];
  /** The number of open stripes; 1 if a single shard is open. */
  readonly stripes: number;
}

/**
 * The number of likes of a likeable, by its shards. Thousands are kept in memory, so rarely used
 * values are computed on demand.
 */
export class LikeCounts {
  readonly likeableId: string;
  readonly likeCount: number;
  readonly stripes: number;
  readonly #published: readonly PublishedCount[];

  constructor({ likeableId, published, stripes }: Published) {
    this.likeableId = likeableId;
    this.stripes = stripes;
    this.#published = published;
    this.likeCount = published.reduce((total, { likeCount }) => total + likeCount, 0);
  }

  /** The shards that have likes. */
  get shards(): number[] {
    return this.#published.flatMap(({ shard, likeCount }) => (likeCount > 0 ? shard : []));
  }

  /** Returns whether the same shards have likes in other counts. */
  areOfShardsOf(other: LikeCounts): boolean {
    return this.shards.join() === other.shards.join();
  }

  get newestShard(): number {
    return this.#published.at(-1)?.shard ?? 0;
  }

  /** Returns a copy of the counts in which the count of one shard is replaced. */
  with(shard: number, { likeCount, histogram }: Omit<PublishedCount, 'shard'>): LikeCounts {
    const others = this.#published.filter((count) => count.shard !== shard);
    const published = [...others, { shard, likeCount, histogram }].toSorted((one, other) => one.shard - other.shard);
    const { likeableId, stripes } = this;
    return new LikeCounts({ likeableId, published, stripes });
  }
}
