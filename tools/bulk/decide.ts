import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { untilKnown } from '../../src/cassandra/retries.ts';
import { appliedBatch, type Bound } from '../../src/cassandra/statement.ts';
import type { AppContext } from '../../src/context/context.ts';

const ROWS_PER_BATCH = 100;

/**
 * Decides many rows of one partition for the first time, 100 in one conditional write. Existing
 * rows are not changed. It is for bulk loading: it is not a transaction, and the caller projects
 * the returned states.
 * @param wanted the states, keyed by the rest of the row's key
 * @param insert returns the write of one row, on condition that there is none
 * @param read reads the existing rows
 * @returns the state of every row
 */
export async function decideMany<State>(
  { cassandra }: AppContext,
  wanted: ReadonlyMap<string, State>,
  insert: (key: string, state: State) => Bound,
  read: (keys: string[]) => Promise<ReadonlyMap<string, State>>,
): Promise<Map<string, State>> {
  const decided = new Map<string, State>();
  for (const part of keysInParts([...wanted], ROWS_PER_BATCH)) {
    let missing = part;
    while (missing.length > 0) {
      const writes = missing.map(([key, state]) => insert(key, state));
      const areNew = await untilKnown(cassandra, () => appliedBatch(cassandra, writes));
      // An existing row may be our own, from an attempt whose answer was lost.
      const found = areNew ? new Map(missing) : await read(missing.map(([key]) => key));
      for (const [key, state] of found) decided.set(key, state);
      missing = missing.filter(([key]) => !found.has(key));
    }
  }
  return decided;
}
