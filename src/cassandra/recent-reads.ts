import { Counter } from 'prom-client';
import { sizeOf, type Size } from './bytes.ts';
import { BatchLoader } from './key-loaders.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Cassandra } from './statement.ts';

/** The result of reading a key: a row or its absence, and the size of the read. */
export interface Found<Row> {
  readonly row: Row | undefined;
  readonly size: Size;
}

/**
 * The memory of an entry besides its row, in bytes. The row takes about as many bytes as
 * {@link sizeOf} counts: V8's heap grew by 1,000 bytes for each of 20,000 books (estimated 960), by
 * 735 for readers (910), by 449 for counts (560) and by 431 for empty lists (490).
 */
const ENTRY_BYTES = 450;

/** Returns the estimated memory of a kept row, in bytes. */
export const heapBytesOf = (key: string, { size }: Found<unknown>): number => ENTRY_BYTES + key.length + size.bytes;

/** Returns the result for a row, with its size. */
export const foundRow = <Row extends Readonly<Record<string, unknown>>>(row: Row | undefined): Found<Row> => ({
  row,
  size: sizeOf(row ? [row] : []),
});

interface Kept<Value> {
  /** The time at which its read began. */
  readonly begunAt: number;
  /** The pending read; unset once it is complete. */
  coming: Promise<Value> | undefined;
  /** The result; unset until the read is complete. */
  value: Value | undefined;
}

/** The limits of a cache of reads. */
export interface KeptFor<Value> {
  /** The name of the cache in metrics. */
  readonly name: string;
  /**
   * The time, from the beginning of a read, during which other callers get its result, in ms; 0
   * disables sharing.
   */
  readonly milliseconds: number;
  /** Set if a result is kept longer while it has not changed. */
  readonly untilChanged?: {
    /** The maximum time, in ms. */
    readonly milliseconds: number;
    /** Returns true if a result has not changed since its read began. */
    readonly isCurrent: (begunAt: number) => boolean;
  };
  /**
   * The maximum size of all entries together. Entries that were not requested lately are evicted.
   */
  readonly sizeMax: number;
  /** Returns the size of an entry; by default 1. */
  readonly sizeOf?: ((key: string, value: Value) => number) | undefined;
  /** A monotonic clock in ms. */
  readonly monotonicNow: () => number;
}

/** The hits and misses of the caches with the same name. */
interface LookUps {
  hit: number;
  miss: number;
}

/** The look-ups by the name of the cache. They change several times per request. */
const lookUps = new Map<string, LookUps>();
new Counter({
  name: 'cache_lookups_total',
  help: 'Keys that a cache of reads contained, and keys that it had to read',
  labelNames: ['cache', 'result'],
  collect() {
    this.reset();
    for (const [cache, { hit, miss }] of lookUps) {
      this.inc({ cache, result: 'hit' }, hit);
      this.inc({ cache, result: 'miss' }, miss);
    }
  },
});

function lookUpsOf(name: string): LookUps {
  const known = lookUps.get(name) ?? { hit: 0, miss: 0 };
  lookUps.set(name, known);
  return known;
}

/**
 * Shares reads among all requests of a process: a key is read at most once in the given time.
 * Entries are kept in two halves. New and requested entries are put into the newer half. When that
 * is full or old, the older half is dropped as a whole. Finding and deleting entries one by one
 * would take longer than reading from memory.
 */
export class Recent<Value> {
  readonly #limits: KeptFor<Value>;
  readonly #lookUps: LookUps;
  #newer = new Map<string, Kept<Value>>();
  #older = new Map<string, Kept<Value>>();
  /** The time at which the newer half began. */
  #begunAt = -Infinity;
  /** The size of the newer half. It includes entries that were replaced or dropped. */
  #size = 0;

  constructor(limits: KeptFor<Value>) {
    this.#limits = limits;
    this.#lookUps = lookUpsOf(limits.name);
  }

  /**
   * Returns the recent or pending value of a key; `undefined` if it was not read recently, or may
   * have changed.
   * @param ageMax the maximum age in ms; by default the age in the limits
   */
  kept(key: string, ageMax?: number): MaybePromise<Value> | undefined {
    const kept = this.#newer.get(key) ?? this.#ofOlder(key);
    if (!kept || !this.#isUsable(kept, ageMax)) return undefined;

    this.#lookUps.hit++;
    return kept.coming ?? kept.value;
  }

  #isUsable({ begunAt }: Kept<Value>, ageMax: number | undefined): boolean {
    const { milliseconds, untilChanged, monotonicNow } = this.#limits;
    const age = monotonicNow() - begunAt;
    if (age <= (ageMax ?? milliseconds)) return true;
    if (ageMax !== undefined || !untilChanged) return false;
    return age <= untilChanged.milliseconds && untilChanged.isCurrent(begunAt);
  }

  #ofOlder(key: string): Kept<Value> | undefined {
    const kept = this.#older.get(key);
    if (!kept || !this.#limits.untilChanged) return kept;

    // A requested entry is moved to the newer half. The other entries are dropped with their half.
    this.#older.delete(key);
    this.#add(key, kept);
    if (kept.value !== undefined) this.#count(key, kept.value);
    return kept;
  }

  /** Drops the value of a key, so that no caller gets it any more. */
  forget(key: string): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  /** Reads a key now. Callers that ask during the read wait for its result. */
  keep(key: string, read: () => Promise<Value>): Promise<Value> {
    this.#lookUps.miss++;
    const begunAt = this.#limits.monotonicNow();
    const reading = read();
    const kept: Kept<Value> = { begunAt, coming: reading, value: undefined };
    if (this.#limits.milliseconds > 0) this.#add(key, kept);
    reading.then(
      (value) => {
        kept.coming = undefined;
        kept.value = value;
        this.#count(key, value);
      },
      () => {
        // A failed read is not kept: the next caller reads again.
        if (this.#newer.get(key) === kept) this.#newer.delete(key);
        if (this.#older.get(key) === kept) this.#older.delete(key);
      },
    );
    return reading;
  }

  #add(key: string, kept: Kept<Value>): void {
    const { milliseconds, untilChanged, sizeMax, monotonicNow } = this.#limits;
    const isOld = monotonicNow() - this.#begunAt > (untilChanged?.milliseconds ?? milliseconds);
    if (isOld || this.#size >= sizeMax / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#begunAt = monotonicNow();
      this.#size = 0;
    }
    this.#newer.set(key, kept);
  }

  #count(key: string, value: Value): void {
    this.#size += this.#limits.sizeOf?.(key, value) ?? 1;
  }
}

/** A cache of reads, and the read of a key. */
export class RecentRows<Value> extends Recent<Value> {
  readonly #fromCassandra: (key: string) => Promise<Value>;

  /** @param fromCassandra reads a key on every call */
  constructor(fromCassandra: (key: string) => Promise<Value>, kept: KeptFor<Value>) {
    super(kept);
    this.#fromCassandra = fromCassandra;
  }

  /** Reads a key now. Callers that ask during the read wait for its result. */
  read(key: string): Promise<Value> {
    return this.keep(key, () => this.#fromCassandra(key));
  }
}

/**
 * Returns a row that was found a moment ago or is being read. An absence is read again each time,
 * because a new row is often requested immediately.
 */
export function keptRow<Row>(recent: RecentRows<Found<Row>>, key: string): MaybePromise<Found<Row>> | undefined {
  const kept = recent.kept(key);
  if (kept instanceof Promise) return kept.then((found) => (found.row ? found : recent.read(key)));
  return kept?.row ? kept : undefined;
}

/**
 * Gives a request a shared read. The read counts against the request's budget as if the request had
 * made it.
 */
export async function shared<Row>(
  { within }: Cassandra,
  find: () => MaybePromise<Found<Row>>,
): Promise<Row | undefined> {
  const budget = within?.budget;
  budget?.check();
  const coming = find();
  const { row, size } = await (coming instanceof Promise ? (budget?.during(coming) ?? coming) : coming);
  budget?.countSize(size);
  return row;
}

/**
 * Returns a request's loader for shared reads. They count against the request's budget as if the
 * request had made them. The loader returns known rows synchronously. It handles the keys requested
 * within one tick together, so that the follow-up reads of all of them become one statement.
 * @param context its budget is set once the request is known to be a query
 * @param from `kept`: returns a shared result; `read`: reads the current one
 */
export function sharedLoader<Row extends object>(
  context: { readonly cassandra: Cassandra },
  from: {
    readonly kept: (key: string) => MaybePromise<Found<Row>> | undefined;
    readonly read: (key: string) => Promise<Found<Row>>;
  },
): BatchLoader<Row> {
  /** The pending shared reads, until the batch of their keys awaits them. */
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
    // The read below reports a spent budget.
    if (budget?.error) return undefined;
    const found = from.kept(key);
    if (!found) return undefined;
    if (found instanceof Promise) {
      coming.set(key, found);
      // The batch that awaits this read reports its failure.
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
