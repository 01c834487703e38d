import DataLoader from 'dataloader';

/** The maximum length of an IN list, so that its coordinator is not overwhelmed. */
export const KEYS_PER_STATEMENT = 100;

/** Splits keys into lists of at most `size`. */
export const keysInParts = <Key>(keys: readonly Key[], size = KEYS_PER_STATEMENT): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));

/**
 * Returns a loader of rows by key, which reads the keys requested within one tick by one statement.
 * @param read reads the rows of at most 100 keys, in any order
 * @param keyOf returns the key of a row
 * @param options `atEndOfTurn`: for a loader of the process, which keeps nothing: keys from all
 *   requests that came in together become one statement. Without it, the loader never reads a row
 *   again
 */
export function rowLoader<Row>(
  read: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  { atEndOfTurn }: { atEndOfTurn?: (then: () => void) => void } = {},
): DataLoader<string, Row | undefined> {
  return new DataLoader(
    async (keys) => {
      const found = new Map((await read([...new Set(keys)])).map((row) => [keyOf(row), row]));
      return keys.map((key) => found.get(key));
    },
    { maxBatchSize: KEYS_PER_STATEMENT, ...(atEndOfTurn && { cache: false, batchScheduleFn: atEndOfTurn }) },
  );
}
