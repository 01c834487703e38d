import { LRUCache } from 'lru-cache';
import { perProcess, type AppContext } from '../context/context.ts';
import { DAY_MS } from '../time/units.ts';
import { AGAIN_MS, isOutdated, refreshAlsoLiked, type Computed } from './also-liked.ts';

/**
 * The books whose also-liked lists have to be computed. Each process notes the books that are liked
 * through it, only in memory, so that a like costs one look-up in a map and waits for nothing. The
 * notes are lost when the process ends. The next like of a book notes it again, and so does the
 * audit, which visits every liked book.
 */

/** The number of books whose lists a process remembers, of about 100 bytes each. */
const REMEMBERED = 10_000;
/**
 * The maximum number of waiting books. A further book is noted again at its next like, or by the
 * audit.
 */
const WAITING_MAX = 1_000;
/**
 * The audit notes a book again when this much time has passed since this process checked its list.
 */
const LOOK_AGAIN_MS = DAY_MS;
/** The part of each second in which lists are begun. The rest is left to requests. */
const TURN_MS = 200;

/** The books of this process. */
const noted = perProcess(() => new BooksToCompute());

/** Notes a book after a like of it was given or taken back. */
export const noteLikes = (app: AppContext, bookId: string, likeCount: number): void => {
  noted(app).changed(bookId, likeCount);
};

/** Notes a book that the audit visits. */
export const noteAudited = (app: AppContext, bookId: string): void => {
  noted(app).seen(app, bookId);
};

/** Computes some of the lists that are due. */
export const computeAlsoLiked = (app: AppContext, stopping?: AbortSignal): Promise<void> =>
  noted(app).compute(app, stopping);

/** A list as this process knows it. */
interface Known {
  readonly computed: Computed;
  readonly lookedAt: number;
}

class BooksToCompute {
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED });
  /** The moment from which each waiting book is due. */
  readonly #waiting = new Map<string, number>();

  changed(bookId: string, likeCount: number): void {
    const computed = this.#known.get(bookId)?.computed;
    if (!computed) this.#wait(bookId, 0);
    else if (isOutdated(computed, likeCount)) this.#wait(bookId, computed.at + AGAIN_MS);
  }

  seen(app: AppContext, bookId: string): void {
    const lookedAt = this.#known.get(bookId)?.lookedAt ?? -Infinity;
    if (app.clock().getTime() - lookedAt >= LOOK_AGAIN_MS) this.#wait(bookId, 0);
  }

  #wait(bookId: string, dueAt: number): void {
    if (!this.#waiting.has(bookId) && this.#waiting.size < WAITING_MAX) this.#waiting.set(bookId, dueAt);
  }

  /** Computes one list after the other. A book whose list cannot be computed is dropped. */
  async compute(app: AppContext, stopping?: AbortSignal): Promise<void> {
    const until = app.monotonicNow() + TURN_MS;
    for (const [bookId, dueAt] of this.#waiting) {
      if (stopping?.aborted || app.monotonicNow() >= until) return;
      const now = app.clock().getTime();
      if (now < dueAt) continue;

      this.#waiting.delete(bookId);
      const { computed, isBehind } = await refreshAlsoLiked(app, bookId);
      this.#known.set(bookId, { computed, lookedAt: now });
      if (isBehind) this.#wait(bookId, computed.at + AGAIN_MS);
    }
  }
}
