import DataLoader from 'dataloader';
import { KEYS_PER_STATEMENT, type SelectAmong } from './by-key.ts';
import type { Columns, Values } from './columns.ts';
import { endOfTick, type Soon } from './soon.ts';
import { rows, type Cassandra } from './statement.ts';

/**
 * The two kinds of loaders by key. Both read the keys requested within one tick together.
 * {@link loaderOf} and {@link rowLoader} are for rows that few fields ask for, and for loaders of
 * the process, which keep nothing. {@link BatchLoader} is for what a page asks for once per row.
 */

/**
 * Options of a loader. `atEndOfTurn`: for a loader of the process, which keeps nothing: keys from
 * all requests that came in together become one statement. Without it, the loader never reads a row
 * again.
 */
interface LoaderOptions {
  readonly atEndOfTurn?: (then: () => void) => void;
}

/** Returns a loader of the rows of a select by the key that takes several values. */
export const loaderOf = <Row extends Columns, Name extends keyof Row & string>(
  context: { readonly cassandra: Cassandra },
  select: SelectAmong<unknown, Row, Name>,
  options?: LoaderOptions,
): DataLoader<string, Values<Row> | undefined> =>
  rowLoader(
    (keys) => rows(context.cassandra, select, { [`${select.several}s`]: keys } as never),
    (row) => String(row[select.several]),
    options,
  );

/**
 * Returns a loader of rows by key, which reads the keys requested within one tick by one statement.
 * @param read reads the rows of at most 100 keys, in any order
 * @param keyOf returns the key of a row
 */
export function rowLoader<Row>(
  read: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  { atEndOfTurn }: LoaderOptions = {},
): DataLoader<string, Row | undefined> {
  return new DataLoader(
    async (keys) => {
      const found = new Map((await read([...new Set(keys)])).map((row) => [keyOf(row), row]));
      return keys.map((key) => found.get(key));
    },
    { maxBatchSize: KEYS_PER_STATEMENT, ...(atEndOfTurn && { cache: false, batchScheduleFn: atEndOfTurn }) },
  );
}

/** The rows found by keys. A key whose read failed has its error. */
export type Batch<Row> = ReadonlyMap<string, Row | Error>;

/**
 * Loads each key once per request. Keys requested within one tick are read together, and rows that
 * are known are returned synchronously. DataLoader makes several promises per key, which took a
 * third of the time of a page with three fields of twenty books.
 */
export class BatchLoader<Row> {
  readonly #read: (keys: readonly string[]) => Promise<Batch<Row>>;
  readonly #atHand: (key: string) => Row | undefined;
  readonly #known = new Map<string, Row | undefined>();
  /** The pending batch of each key that is being read. */
  readonly #coming = new Map<string, Promise<Batch<Row>>>();
  #next: { readonly keys: string[]; readonly coming: Promise<Batch<Row>> } | undefined;

  /**
   * @param read reads the rows of some keys; keys without a row are missing in the result
   * @param atHand returns the row of a key if it is known without a read, otherwise `undefined`
   */
  constructor(
    read: (keys: readonly string[]) => Promise<Batch<Row>>,
    atHand: (key: string) => Row | undefined = () => undefined,
  ) {
    this.#read = read;
    this.#atHand = atHand;
  }

  /**
   * Returns the row of a key; `undefined` if there is none.
   * @throws the error of the read; the next call tries again
   */
  load(key: string): Soon<Row | undefined> {
    if (this.#isKnown(key)) return this.#known.get(key);

    const coming = this.#coming.get(key) ?? this.#begin(key);
    return coming.then((found) => {
      const row = found.get(key);
      if (row instanceof Error) throw row;
      return row;
    });
  }

  /**
   * Loads keys that are about to be requested. It ignores errors: {@link load} reports them to its
   * caller.
   */
  async ahead(keys: readonly string[]): Promise<void> {
    const coming = new Set<Promise<unknown>>();
    for (const key of keys) if (!this.#isKnown(key)) coming.add(this.#coming.get(key) ?? this.#begin(key));
    if (coming.size > 0) await Promise.allSettled(coming);
  }

  /** Forgets a key. The next load reads it again. */
  clear(key: string): void {
    this.#known.delete(key);
    this.#coming.delete(key);
  }

  /** Stores the row of a key unless the key is known. */
  prime(key: string, row: Row | undefined): void {
    if (!this.#known.has(key)) this.#known.set(key, row);
  }

  #isKnown(key: string): boolean {
    if (this.#known.has(key)) return true;
    const row = this.#coming.has(key) ? undefined : this.#atHand(key);
    if (row === undefined) return false;
    this.#known.set(key, row);
    return true;
  }

  #begin(key: string): Promise<Batch<Row>> {
    if (!this.#next) {
      const keys: string[] = [];
      this.#next = { keys, coming: this.#readNext(keys) };
    }
    const { keys, coming } = this.#next;
    keys.push(key);
    this.#coming.set(key, coming);
    return coming;
  }

  async #readNext(keys: readonly string[]): Promise<Batch<Row>> {
    await endOfTick();
    const coming = this.#next?.coming;
    this.#next = undefined;
    try {
      const found = await this.#read(keys);
      for (const key of keys) {
        const row = found.get(key);
        if (this.#coming.get(key) === coming && !(row instanceof Error)) this.prime(key, row);
      }
      return found;
    } finally {
      for (const key of keys) if (this.#coming.get(key) === coming) this.#coming.delete(key);
    }
  }
}
