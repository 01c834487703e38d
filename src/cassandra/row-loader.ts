import DataLoader from 'dataloader';
import type { SelectAmong } from './by-key.ts';
import type { Columns, Values } from './codecs.ts';
import { rows, type Cassandra } from './statement.ts';

/** The maximum length of an IN list, so that its coordinator is not overwhelmed. */
export const KEYS_PER_STATEMENT = 100;

/** Splits keys into lists of at most `size`. */
export const keysInParts = <Key>(keys: readonly Key[], size = KEYS_PER_STATEMENT): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));

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
