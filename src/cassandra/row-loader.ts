import DataLoader from 'dataloader';

/** An IN list is kept so short that its coordinator is not overwhelmed. */
export const KEYS_PER_STATEMENT = 100;

/** Many keys as lists of so many at most. */
export const keysInParts = <Key>(keys: readonly Key[], size = KEYS_PER_STATEMENT): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));

/**
 * A loader of rows by key: the keys that are asked for within one tick become one statement.
 * @param read the rows of at most 100 keys, in any order
 * @param keyOf the key of a row
 * @param options `atEndOfTurn`: of a loader of the process, which keeps nothing: what all requests ask of it that came in together becomes one
 *   statement. Unless it is given, a row that was read is not read again by this loader
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
