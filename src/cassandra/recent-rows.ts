import { LRUCache } from 'lru-cache';
import type { Size } from './budget.ts';
import { BatchLoader } from './batch-loader.ts';
import type { Soon } from './soon.ts';
import type { Cassandra } from './statement.ts';

/** What was found under a key: a row, or that there is none, and how much it was to read. */
export interface Found<Row> {
  readonly row: Row | undefined;
  readonly size: Size;
}

interface Kept<Value> {
  /** When it was begun to be read. */
  readonly begunAt: number;
  /** What it is, once it has come; until then, what it comes by. */
  found: { readonly value: Value } | Promise<Value>;
}

/** What was read a moment ago, for all requests of a process: however many ask for one thing, it is read once in that time. */
export class RecentRows<Value> {
  readonly #fromCassandra: (key: string) => Promise<Value>;
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #milliseconds: number;
  readonly #steady: () => number;
  #sweptAt = -Infinity;

  /**
   * @param fromCassandra reads what a key has, each time it is called
   * @param kept `milliseconds`: how long, from the beginning of its reading on, it is given to others, 0 for not at all;
   *   `rowsMax`: those that were asked for longest ago make room; `steady`: a clock that is never set
   */
  constructor(
    fromCassandra: (key: string) => Promise<Value>,
    kept: { readonly milliseconds: number; readonly rowsMax: number; readonly steady: () => number },
  ) {
    this.#fromCassandra = fromCassandra;
    this.#milliseconds = kept.milliseconds;
    this.#steady = kept.steady;
    this.#kept = new LRUCache({ max: kept.rowsMax });
  }

  /**
   * What a key had a moment ago, or is being read of it; `undefined` where nobody has asked for it lately.
   * @param ageMax in milliseconds; unset: as old as it is given to others
   */
  kept(key: string, ageMax = this.#milliseconds): Soon<Value> | undefined {
    const kept = this.#kept.get(key);
    if (!kept || this.#steady() - kept.begunAt > ageMax) return undefined;
    return kept.found instanceof Promise ? kept.found : kept.found.value;
  }

  /** What a key had a moment ago is not given to anybody any more. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** What a key has now. Who asks while it is read waits for that. */
  read(key: string): Promise<Value> {
    const begunAt = this.#steady();
    this.#sweep(begunAt);
    const reading = this.#fromCassandra(key);
    const kept: Kept<Value> = { begunAt, found: reading };
    if (this.#milliseconds > 0) this.#kept.set(key, kept);
    reading.then(
      (value) => {
        kept.found = { value };
      },
      () => {
        // What was not found out, the next one finds out.
        if (this.#kept.peek(key) === kept) this.#kept.delete(key);
      },
    );
    return reading;
  }

  /** Lets go, from time to time, of what is too old to be given to anybody: else it would fill the memory with what nobody asks for. */
  #sweep(now: number): void {
    if (now - this.#sweptAt <= this.#milliseconds) return;
    this.#sweptAt = now;
    for (const [key, { begunAt }] of this.#kept) if (now - begunAt > this.#milliseconds) this.#kept.delete(key);
  }
}

/**
 * A request's loader of what others may have read: it counts for the request's budget as if it had read that itself. What is asked for
 * within one tick comes together, so that what is asked next of each becomes one statement, whichever of them others had read.
 * @param context whose budget begins once the request is known to be a query
 */
export function sharedLoader<Row extends object>(
  context: { readonly cassandra: Cassandra },
  find: (key: string) => Soon<Found<Row>>,
): BatchLoader<Row> {
  return new BatchLoader(async (keys) => {
    const budget = context.cassandra.within?.budget;
    budget?.check();
    const all = new Map<string, Row | Error>();
    const failed = (key: string, error: unknown) => {
      all.set(key, error instanceof Error ? error : new Error(String(error)));
    };
    const take = (key: string, { row, size }: Found<Row>) => {
      try {
        budget?.countSize(size);
        if (row) all.set(key, row);
      } catch (error) {
        failed(key, error);
      }
    };
    const coming: Promise<void>[] = [];
    for (const key of keys) {
      const found = find(key);
      if (found instanceof Promise)
        coming.push(
          found.then(
            (it) => {
              take(key, it);
            },
            (error: unknown) => {
              failed(key, error);
            },
          ),
        );
      else take(key, found);
    }
    await Promise.all(coming);
    return all;
  });
}
