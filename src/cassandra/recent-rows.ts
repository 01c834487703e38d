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
  readonly reading: Promise<Value>;
  /** Once it has come. */
  there?: { readonly value: Value };
}

/** What was read a moment ago, for all requests of a process: however many ask for one thing, it is read once in that time. */
export class RecentRows<Value> {
  readonly #fromCassandra: (key: string) => Promise<Value>;
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #milliseconds: number;
  readonly #steady: () => number;

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
    return kept.there ? kept.there.value : kept.reading;
  }

  /** What a key had a moment ago is not given to anybody any more. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** What a key has now. Who asks while it is read waits for that. */
  read(key: string): Promise<Value> {
    const kept: Kept<Value> = { begunAt: this.#steady(), reading: this.#fromCassandra(key) };
    if (this.#milliseconds > 0) this.#kept.set(key, kept);
    kept.reading.then(
      (value) => {
        kept.there = { value };
      },
      () => {
        // What was not found out, the next one finds out.
        if (this.#kept.peek(key) === kept) this.#kept.delete(key);
      },
    );
    return kept.reading;
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
