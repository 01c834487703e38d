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

interface Kept<Row> {
  /** When it was begun to be read. */
  readonly begunAt: number;
  readonly reading: Promise<Found<Row>>;
  found: Found<Row> | undefined;
}

/** Rows as they were a moment ago, for all requests of a process: however many ask for one, it is read once in that time. */
export class RecentRows<Row> {
  readonly #fromCassandra: (key: string) => Promise<Found<Row>>;
  readonly #kept: LRUCache<string, Kept<Row>>;
  readonly #milliseconds: number;
  readonly #steady: () => number;

  /**
   * @param fromCassandra reads the row of a key, each time it is called
   * @param kept `milliseconds`: how long, from the beginning of its reading on, a row is given to others, 0 for not at all;
   *   `rowsMax`: those that were read longest ago make room; `steady`: a clock that is never set
   */
  constructor(
    fromCassandra: (key: string) => Promise<Found<Row>>,
    kept: { readonly milliseconds: number; readonly rowsMax: number; readonly steady: () => number },
  ) {
    this.#fromCassandra = fromCassandra;
    this.#milliseconds = kept.milliseconds;
    this.#steady = kept.steady;
    this.#kept = new LRUCache({ max: kept.rowsMax });
  }

  /**
   * A row as it was a moment ago, or is being read; `undefined` where nobody has asked for it lately.
   * @param ageMax in milliseconds; unset: as old as rows are given to others
   */
  kept(key: string, ageMax = this.#milliseconds): Soon<Found<Row>> | undefined {
    const kept = this.#kept.get(key);
    if (!kept || this.#steady() - kept.begunAt > ageMax) return undefined;
    return kept.found ?? kept.reading;
  }

  /** A row as it was a moment ago is not given to anybody any more. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** A row as it is now. */
  read(key: string): Promise<Found<Row>> {
    const kept: Kept<Row> = { begunAt: this.#steady(), reading: this.#fromCassandra(key), found: undefined };
    if (this.#milliseconds > 0) this.#kept.set(key, kept);
    kept.reading.then(
      (found) => {
        kept.found = found;
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
    const take = (key: string, { row, size }: Found<Row>) => {
      budget?.countSize(size);
      if (row) all.set(key, row);
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
              all.set(key, error instanceof Error ? error : new Error(String(error)));
            },
          ),
        );
      else take(key, found);
    }
    await Promise.all(coming);
    return all;
  });
}
