import { sizeOf, type Size } from './budget.ts';
import { BatchLoader } from './batch-loader.ts';
import type { Soon } from './soon.ts';
import type { Cassandra } from './statement.ts';

/** What was found under a key: a row, or that there is none, and how much it was to read. */
export interface Found<Row> {
  readonly row: Row | undefined;
  readonly size: Size;
}

/** What was found of a row, and how much it was to read. */
export const foundRow = <Row extends Readonly<Record<string, unknown>>>(row: Row | undefined): Found<Row> => ({
  row,
  size: sizeOf(row ? [row] : []),
});

interface Kept<Value> {
  /** When it was begun to be read. */
  readonly begunAt: number;
  /** What it comes by, until it has come. */
  coming: Promise<Value> | undefined;
  /** What it is, once it has come. */
  value: Value | undefined;
}

/** For how long and how much of it is kept of what was read. */
export interface KeptFor {
  /** From the beginning of its reading on, it is given to others for so long; 0 for not at all. */
  readonly milliseconds: number;
  /** Those that were begun to be read longest ago make room. */
  readonly rowsMax: number;
  /** A clock that is never set, in ms. */
  readonly steady: () => number;
}

/**
 * What was read a moment ago, for all requests of a process: however many ask for one thing, it is read once in that time. What was begun to be
 * read is kept in two halves, and the older one is dropped as a whole when nothing in it may be given any more: to look for what is too old, and
 * to delete it one by one, takes longer than to read it from memory.
 */
export class Recent<Value> {
  readonly #milliseconds: number;
  readonly #rowsMax: number;
  readonly #steady: () => number;
  #newer = new Map<string, Kept<Value>>();
  #older = new Map<string, Kept<Value>>();
  /** When the newer half was begun. */
  #begunAt = -Infinity;

  constructor({ milliseconds, rowsMax, steady }: KeptFor) {
    this.#milliseconds = milliseconds;
    this.#rowsMax = rowsMax;
    this.#steady = steady;
  }

  /**
   * What a key had a moment ago, or is being read of it; `undefined` where nobody has asked for it lately.
   * @param ageMax in milliseconds; unset: as old as it is given to others
   */
  kept(key: string, ageMax = this.#milliseconds): Soon<Value> | undefined {
    const kept = this.#newer.get(key) ?? this.#older.get(key);
    if (!kept || this.#steady() - kept.begunAt > ageMax) return undefined;
    return kept.coming ?? kept.value;
  }

  /** What a key had a moment ago is not given to anybody any more. */
  forget(key: string): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  /** What a key has now. Who asks while it is read waits for that. */
  keep(key: string, read: () => Promise<Value>): Promise<Value> {
    const begunAt = this.#steady();
    const reading = read();
    const kept: Kept<Value> = { begunAt, coming: reading, value: undefined };
    if (this.#milliseconds > 0) this.#keep(key, kept);
    reading.then(
      (value) => {
        kept.coming = undefined;
        kept.value = value;
      },
      () => {
        // What was not found out, the next one finds out.
        if (this.#newer.get(key) === kept) this.#newer.delete(key);
        if (this.#older.get(key) === kept) this.#older.delete(key);
      },
    );
    return reading;
  }

  #keep(key: string, kept: Kept<Value>): void {
    if (kept.begunAt - this.#begunAt > this.#milliseconds || this.#newer.size >= this.#rowsMax / 2) {
      // All of the older half was begun before the newer one.
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#begunAt = kept.begunAt;
    }
    this.#newer.set(key, kept);
  }
}

/** Rows that were read a moment ago. */
export class RecentRows<Value> extends Recent<Value> {
  readonly #fromCassandra: (key: string) => Promise<Value>;

  /** @param fromCassandra reads what a key has, each time it is called */
  constructor(fromCassandra: (key: string) => Promise<Value>, kept: KeptFor) {
    super(kept);
    this.#fromCassandra = fromCassandra;
  }

  /** What a key has now. Who asks while it is read waits for that. */
  read(key: string): Promise<Value> {
    return this.keep(key, () => this.#fromCassandra(key));
  }
}

/** A row that was found a moment ago, or is being found. That there is none is found out each time: what was just added is asked for at once. */
export function keptRow<Row>(recent: RecentRows<Found<Row>>, key: string): Soon<Found<Row>> | undefined {
  const kept = recent.kept(key);
  if (kept instanceof Promise) return kept.then((found) => (found.row ? found : recent.read(key)));
  return kept?.row ? kept : undefined;
}

/** What others may have read, for a request: it counts for its budget as if it had read that itself. */
export async function shared<Row>({ within }: Cassandra, find: () => Soon<Found<Row>>): Promise<Row | undefined> {
  const budget = within?.budget;
  budget?.check();
  const coming = find();
  const { row, size } = await (coming instanceof Promise ? (budget?.during(coming) ?? coming) : coming);
  budget?.countSize(size);
  return row;
}

/**
 * A request's loader of what others may have read: it counts for the request's budget as if it had read that itself. What they have read is
 * given at once. What is to be read and is asked for within one tick comes together, so that what is asked next of each becomes one statement.
 * @param context whose budget begins once the request is known to be a query
 * @param from `kept`: what may be given of what others read; `read`: what there is now
 */
export function sharedLoader<Row extends object>(
  context: { readonly cassandra: Cassandra },
  from: {
    readonly kept: (key: string) => Soon<Found<Row>> | undefined;
    readonly read: (key: string) => Promise<Found<Row>>;
  },
): BatchLoader<Row> {
  /** What is coming of what was not at hand, until its batch waits for it. */
  const coming = new Map<string, Promise<Found<Row>>>();
  const readEach = async (keys: readonly string[]) => {
    const budget = context.cassandra.within?.budget;
    budget?.check();
    const all = new Map<string, Row | Error>();
    const reading = Promise.all(
      keys.map(async (key) => {
        try {
          const found = coming.get(key) ?? from.kept(key) ?? from.read(key);
          coming.delete(key);
          const { row, size } = await found;
          budget?.countSize(size);
          if (row) all.set(key, row);
        } catch (error) {
          all.set(key, error instanceof Error ? error : new Error(String(error)));
        }
      }),
    );
    await (budget?.during(reading) ?? reading);
    return all;
  };
  const atHand = (key: string) => {
    const budget = context.cassandra.within?.budget;
    // Of a budget that is spent, who reads hears.
    if (budget?.error) return undefined;
    const found = from.kept(key);
    if (!found) return undefined;
    if (found instanceof Promise) {
      coming.set(key, found);
      // Whoever waits for the batch hears of a failure.
      found.catch(() => undefined);
      return undefined;
    }
    try {
      budget?.countSize(found.size);
    } catch {
      return undefined;
    }
    return found.row;
  };
  return new BatchLoader(readEach, atHand);
}
