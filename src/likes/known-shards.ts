import { LRUCache } from 'lru-cache';
import { NO_SHARD, type ShardState } from './shard-state.ts';

/** What a process knows of shards without reading them, as it has committed to them itself. */

/** What a shard has of a like. */
export interface StoredLike {
  readonly version: number;
  /** Whether it is among the likers. */
  readonly liked: boolean;
}

/** A shard at one version: what it says of itself, and what it has of some likes; of those that are missing it has nothing. */
export interface FoundShard {
  readonly state: ShardState;
  readonly likes: ReadonlyMap<string, StoredLike>;
}

/** A shard that is not there. */
export const NOTHING_FOUND: FoundShard = { state: NO_SHARD, likes: new Map() };

/** Which like a change is about, and from when on there may be something of it. */
export interface NamedLike {
  readonly userId: string;
  readonly likedAt: Date;
  /**
   * A moment of this process's steady clock before which the like was not decided, in ms: nothing of it was written before. Unset where
   * something may have been.
   */
  readonly newSince?: number | undefined;
}

/** The name of a like among those of its likeable. */
export const nameOfLike = ({ userId, likedAt }: NamedLike): string => `${userId} ${likedAt.getTime()}`;

/** Of each shard, the likes of so many changes are known at most. */
const LIKES_KNOWN = 500;
/** Of shards and likes together; some 2 MB. */
const KNOWN_MAX = 10_000;

interface Known {
  readonly state: ShardState;
  /** From when on every commit to the shard was one of this process, in ms of the steady clock. */
  readonly since: number;
  /** What those commits have left of likes. */
  readonly likes: Map<string, StoredLike>;
  /** How many commits in a row, up to the newest one, found the shard as the one before had left it. */
  readonly inARow: number;
}

/**
 * Of a like that was decided after the last commit of somebody else, the shard has what this process has brought there since, or nothing. That
 * nobody else has committed meanwhile, the condition on the shard's version finds out.
 */
export class KnownShards {
  readonly #steady: () => number;
  readonly #aloneCommits: number;
  readonly #known = new LRUCache<string, Known>({
    maxSize: KNOWN_MAX,
    sizeCalculation: ({ likes }) => 1 + likes.size,
  });

  /**
   * @param steady a clock that is never set, in ms
   * @param aloneCommits after so many commits in a row that nobody else came between, the next one relies on that. Of two servers that like a
   *   thing by turns, each is often alone for two or three; and a condition that fails costs some three times what a read does
   */
  constructor(steady: () => number, aloneCommits: number) {
    this.#steady = steady;
    this.#aloneCommits = aloneCommits;
  }

  /**
   * What a shard has of some likes; `undefined` where that is not known, or where somebody else may change the shard too.
   */
  find(shard: string, sought: readonly NamedLike[]): FoundShard | undefined {
    const known = this.#known.get(shard);
    if (!known || known.inARow < this.#aloneCommits) return undefined;
    const { state, likes, since } = known;
    const isKnown = (like: NamedLike) => (like.newSince ?? -Infinity) > since || likes.has(nameOfLike(like));
    return sought.every(isKnown) ? { state, likes } : undefined;
  }

  /** A commit of this process has taken a shard from one state to the next, and left this of some likes. */
  committed(shard: string, before: ShardState, state: ShardState, left: ReadonlyMap<string, StoredLike>): void {
    const known = this.#known.get(shard);
    const isAlone = known?.state.version === before.version;
    const goesOn = isAlone && known.likes.size < LIKES_KNOWN;
    const likes = goesOn ? known.likes : new Map<string, StoredLike>();
    for (const [key, like] of left) likes.set(key, like);
    const since = goesOn ? known.since : this.#steady();
    this.#known.set(shard, { state, since, likes, inARow: isAlone ? known.inARow + 1 : 0 });
  }
}
