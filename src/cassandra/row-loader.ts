import DataLoader from 'dataloader';

/** An IN list is kept so short that its coordinator is not overwhelmed. */
const KEYS_PER_STATEMENT = 100;

/**
 * A loader of rows by key: the keys that one tick of a request asks for become one statement.
 * @param read the rows of at most 100 keys, in any order
 * @param keyOf the key of a row
 */
export function rowLoader<Row>(
  read: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): DataLoader<string, Row | undefined> {
  return new DataLoader(
    async (keys) => {
      const found = new Map((await read([...keys])).map((row) => [keyOf(row), row]));
      return keys.map((key) => found.get(key));
    },
    { maxBatchSize: KEYS_PER_STATEMENT },
  );
}
