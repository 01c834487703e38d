import { LRUCache } from 'lru-cache';
import { nameOfLike, type Change, type ShardState } from './shard.ts';

/** The shards whose content this process knows without a read, from its own commits. */

/** A like as its shard has it. */
export interface StoredLike {
  readonly version: number;
  /** True if it is among the likers, false if among the former likers. */
  readonly liked: boolean;
  /** The rating; none for a like, and among the former likers. */
  readonly quarters: number | null | undefined;
}

/**
 * A shard at one version: its state and some of its likes. A missing like has no row in the shard.
 */
export interface FoundShard {
  readonly state: ShardState;
  readonly likes: ReadonlyMap<string, StoredLike>;
}

/** The maximum number of changed likes that are remembered of a shard. */
const LIKES_KNOWN = 500;
/** The maximum number of remembered shards and likes together; some 2 MB. */
const KNOWN_MAX = 10_000;

interface Known {
  readonly state: ShardState;
  /** The time since which this process made every commit to the shard; ms, monotonic clock. */
  readonly since: number;
  /** The likes as those commits left them. */
  readonly likes: Map<string, StoredLike>;
  /** The number of latest consecutive commits between which no other process changed the shard. */
  readonly inARow: number;
}

/**
 * If a like was decided after the last commit of another process, only this process can have
 * written its row in the shard. The condition on the shard's version fails if another process has
 * committed in between.
 */
export class OwnCommits {
  readonly #monotonicNow: () => number;
  readonly #aloneCommits: number;
  readonly #known = new LRUCache<string, Known>({
    maxSize: KNOWN_MAX,
    sizeCalculation: ({ likes }) => 1 + likes.size,
  });

  /**
   * @param monotonicNow a monotonic clock in ms
   * @param aloneCommits the number of consecutive commits by this process after which the next
   *   commit skips the read. When two servers alternate, each often makes two or three commits in a
   *   row, and a failed condition costs about three times as much as a read
   */
  constructor(monotonicNow: () => number, aloneCommits: number) {
    this.#monotonicNow = monotonicNow;
    this.#aloneCommits = aloneCommits;
  }

  /**
   * Returns a shard with some likes; `undefined` if they are not known, or if another process may
   * be changing the shard too.
   */
  find(shard: string, sought: readonly Change[]): FoundShard | undefined {
    const known = this.#known.get(shard);
    if (!known || known.inARow < this.#aloneCommits) return undefined;
    const { state, likes, since } = known;
    const isKnown = (like: Change) => (like.newSince ?? -Infinity) > since || likes.has(nameOfLike(like));
    return sought.every(isKnown) ? { state, likes } : undefined;
  }

  /** Notes a commit of this process, with the likes as it left them. */
  committed(shard: string, before: ShardState, state: ShardState, left: ReadonlyMap<string, StoredLike>): void {
    const known = this.#known.get(shard);
    const isAlone = known?.state.version === before.version;
    const goesOn = isAlone && known.likes.size < LIKES_KNOWN;
    const likes = goesOn ? known.likes : new Map<string, StoredLike>();
    for (const [key, like] of left) likes.set(key, like);
    const since = goesOn ? known.since : this.#monotonicNow();
    this.#known.set(shard, { state, since, likes, inARow: isAlone ? known.inARow + 1 : 0 });
  }
}
