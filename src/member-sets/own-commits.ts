import { LRUCache } from 'lru-cache';
import type { ShardState } from './shard.ts';

/** The shards whose content a process knows without reading them, from its own commits to them. */

/** A like as its shard has it. */
export interface StoredLike {
  readonly version: number;
  /** True if it is among the likers, false if among the former likers. */
  readonly liked: boolean;
  /** The rating; none for a like, and among the former likers. */
  readonly quarters: number | null | undefined;
}

/** A shard at one version: its state and some of its likes. It has nothing of a missing like. */
export interface FoundShard {
  readonly state: ShardState;
  readonly likes: ReadonlyMap<string, StoredLike>;
}

/** Identifies the like that a change is about. */
export interface NamedLike {
  readonly userId: string;
  readonly likedAt: Date;
  /**
   * A moment of this process's steady clock before which the like was not decided, in ms, so that
   * nothing of it was written before. Unset if something may have been.
   */
  readonly newSince?: number | undefined;
}

/** The name of a like among those of its likeable. */
export const nameOfLike = ({ userId, likedAt }: NamedLike): string => `${userId} ${likedAt.getTime()}`;

/** The maximum number of changed likes that are remembered of a shard. */
const LIKES_KNOWN = 500;
/** The maximum number of remembered shards and likes together; some 2 MB. */
const KNOWN_MAX = 10_000;

interface Known {
  readonly state: ShardState;
  /** The time since which every commit to the shard was one of this process; ms, steady clock. */
  readonly since: number;
  /** The likes as those commits left them. */
  readonly likes: Map<string, StoredLike>;
  /** The number of latest commits in a row that found the shard as the one before had left it. */
  readonly inARow: number;
}

/**
 * If a like was decided after the last commit of another process, its shard has of it what this
 * process has written since, or nothing. The condition on the shard's version fails if another
 * process has committed in between.
 */
export class OwnCommits {
  readonly #monotonicNow: () => number;
  readonly #aloneCommits: number;
  readonly #known = new LRUCache<string, Known>({
    maxSize: KNOWN_MAX,
    sizeCalculation: ({ likes }) => 1 + likes.size,
  });

  /**
   * @param steady a monotonic clock in ms
   * @param aloneCommits the number of commits in a row, without another process in between, after
   *   which the next one relies on that. When two servers like a thing by turns, each is often
   *   alone for two or three commits; and a failed condition costs some three times as much as a
   *   read
   */
  constructor(monotonicNow: () => number, aloneCommits: number) {
    this.#monotonicNow = monotonicNow;
    this.#aloneCommits = aloneCommits;
  }

  /**
   * Returns what a shard has of some likes; `undefined` if that is not known, or if another process
   * may change the shard too.
   */
  find(shard: string, sought: readonly NamedLike[]): FoundShard | undefined {
    const known = this.#known.get(shard);
    if (!known || known.inARow < this.#aloneCommits) return undefined;
    const { state, likes, since } = known;
    const isKnown = (like: NamedLike) => (like.newSince ?? -Infinity) > since || likes.has(nameOfLike(like));
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
