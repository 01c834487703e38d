import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { sizeOf, type Size } from './budget.ts';
import type { Cassandra } from './statement.ts';

/** Rows as they were a moment ago, for all requests of a process: however many ask for one, it is read once in that time. */
export class RecentRows<Row> {
  readonly #fromCassandra: (key: string) => Promise<Row | undefined>;
  readonly #kept: LRUCache<string, Promise<Row | undefined>> | undefined;
  readonly #milliseconds: number;

  /**
   * @param fromCassandra reads the row of a key, each time it is called
   * @param kept `milliseconds`: how long, from the beginning of its reading on, a row is given to others, 0 for not at all;
   *   `rowsMax`: those that were read longest ago make room; `steady`: a clock that is never set
   */
  constructor(
    fromCassandra: (key: string) => Promise<Row | undefined>,
    kept: { readonly milliseconds: number; readonly rowsMax: number; readonly steady: () => number },
  ) {
    this.#fromCassandra = fromCassandra;
    const { milliseconds: ttl, rowsMax: max, steady } = kept;
    this.#milliseconds = ttl;
    // To this cache a time of 0 would mean for ever.
    if (ttl > 0) this.#kept = new LRUCache({ max, ttl, ttlResolution: 0, perf: { now: steady } });
  }

  /**
   * A row as it was a moment ago, or is being read; `undefined` where nobody has asked for it lately.
   * @param ageMax in milliseconds; unset: as old as rows are given to others
   */
  kept(key: string, ageMax?: number): Promise<Row | undefined> | undefined {
    const row = this.#kept?.get(key);
    if (!row || ageMax === undefined) return row;
    const age = this.#milliseconds - (this.#kept?.getRemainingTTL(key) ?? 0);
    return age <= ageMax ? row : undefined;
  }

  /** A row as it was a moment ago is not given to anybody any more. */
  forget(key: string): void {
    this.#kept?.delete(key);
  }

  /** A row as it is now. */
  read(key: string): Promise<Row | undefined> {
    const row = this.#fromCassandra(key);
    this.#kept?.set(key, row);
    row.catch(() => {
      // What was not found out, the next one finds out.
      if (this.#kept?.peek(key) === row) this.#kept.delete(key);
    });
    return row;
  }
}

/** What a request has of rows that others may have read, each asked for once. */
export type SharedLoader<Row> = Pick<DataLoader<string, Row | undefined>, 'load' | 'clear' | 'prime'>;

/** Of rows that many requests are given, reckoned once. */
const sizes = new WeakMap<object, Size>();

/**
 * A request's loader of what others may have read: it counts for the request's budget as if it had read that itself. What is asked for
 * within one tick comes together, so that what is asked next of each becomes one statement, whichever of them others had read.
 * @param context whose budget begins once the request is known to be a query
 * @param rowsOf the rows that something came from
 */
export function sharedLoader<Row extends object>(
  context: { readonly cassandra: Cassandra },
  load: (key: string) => Promise<Row | undefined>,
  rowsOf: (row: Row) => readonly Readonly<Record<string, unknown>>[],
): SharedLoader<Row> {
  const sizeOfRow = (row: Row) => {
    const size = sizes.get(row) ?? sizeOf(rowsOf(row));
    sizes.set(row, size);
    return size;
  };
  const loadWithinBudget = async (key: string) => {
    const { within } = context.cassandra;
    try {
      within?.budget.check();
      const found = await load(key);
      if (found !== undefined) within?.budget.countSize(sizeOfRow(found));
      return found;
    } catch (error) {
      // What was not found out, the next one finds out.
      loader.clear(key);
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const loader = new DataLoader((keys: readonly string[]) => Promise.all(keys.map(loadWithinBudget)));
  return loader;
}
