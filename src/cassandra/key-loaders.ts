import DataLoader from 'dataloader';
import { KEYS_PER_STATEMENT, type SelectAmong } from './statement-builders.ts';
import type { Columns, Values } from './columns.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { rows, type Cassandra } from './statement.ts';

/**
 * Loaders by key. DataLoader reads the keys requested within one tick together. {@link loaderOf}
 * and {@link rowLoader} make one for the rows of a statement; {@link BatchLoader} is for pages,
 * which request each row several times.
 */

/**
 * Options of a loader. `atEndOfTurn` is for a loader of the process: it caches nothing, and reads
 * the keys of all requests that arrived together by one statement. Without it, a loader caches each
 * row and never reads it again.
 */
interface LoaderOptions {
  readonly atEndOfTurn?: (then: () => void) => void;
}

/** Returns a loader of the rows of a select by the key column that takes several values. */
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
 * Loads each key once per request. DataLoader reads the keys requested within one tick together;
 * rows that are known are returned synchronously. Promises for known rows took a third of the time
 * of a page with three fields of twenty books.
 */
export class BatchLoader<Row> {
  readonly #loader: DataLoader<string, Row | undefined>;
  readonly #atHand: (key: string) => Row | undefined;
  readonly #known = new Map<string, Row | undefined>();
  /** The pending reads, added by DataLoader. */
  readonly #coming = new Map<string, Promise<Row | undefined>>();

  /**
   * @param read reads the rows of some keys; keys without a row are missing in the result
   * @param atHand returns the row of a key if it is known without a read, otherwise `undefined`
   */
  constructor(
    read: (keys: readonly string[]) => Promise<Batch<Row>>,
    atHand: (key: string) => Row | undefined = () => undefined,
  ) {
    this.#loader = new DataLoader((keys) => this.#readBatch(read, keys), { cacheMap: this.#coming });
    this.#atHand = atHand;
  }

  /**
   * Returns the row of a key; `undefined` if there is none.
   * @throws the error of the read; the next call tries again
   */
  load(key: string): MaybePromise<Row | undefined> {
    return this.#isKnown(key) ? this.#known.get(key) : this.#loader.load(key);
  }

  /**
   * Loads keys that are about to be requested. It ignores errors: {@link load} reports them to its
   * caller.
   */
  async ahead(keys: readonly string[]): Promise<void> {
    const unknown = keys.filter((key) => !this.#isKnown(key));
    if (unknown.length > 0) await this.#loader.loadMany(unknown);
  }

  /** Removes a key. The next load reads it again. */
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

  async #readBatch(read: (keys: readonly string[]) => Promise<Batch<Row>>, keys: readonly string[]) {
    const begun = keys.map((key) => this.#coming.get(key));
    let found: Batch<Row> | undefined;
    try {
      found = await read(keys);
      return keys.map((key) => found?.get(key));
    } finally {
      for (const [index, key] of keys.entries()) {
        // A key that was cleared meanwhile has another read or was primed, so this result is
        // dropped.
        if (begun[index] === undefined || this.#coming.get(key) !== begun[index]) continue;
        this.#coming.delete(key);
        const row = found?.get(key);
        if (found && !(row instanceof Error)) this.prime(key, row);
      }
    }
  }
}
