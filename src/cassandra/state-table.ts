import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { whereKey } from './statement-builders.ts';
import { cql, modelOf, type Columns, type Values } from './columns.ts';
import {
  applied,
  appliedBatch,
  bind,
  declareStatement,
  first,
  type Applied,
  type Bound,
  type Cassandra,
} from './statement.ts';

/**
 * A table whose rows are just a key and a `state`. Only conditional writes change the state: it is
 * a source of truth.
 */
export interface StateTable<Key, State> {
  readonly name: string;
  /** The columns of the partition key. */
  readonly partition: Columns;
  /** The columns that name a row. */
  readonly key: Columns;
  /** The rest of the key. It is the same in all rows that have a state. */
  readonly at: Readonly<Record<string, string>>;
  readonly state: z.ZodType<State>;
  /**
   * Reads a state serially, including a conditional write in progress; `undefined` if there is no
   * row.
   */
  readonly read: (cassandra: Cassandra, key: Key) => Promise<State | undefined>;
  /**
   * Writes a state if the row still has the believed state; null means that there is no row.
   * @param beside writes to other rows of the partition, which are made if the state is written
   */
  readonly compareAndSet: (
    cassandra: Cassandra,
    key: Key,
    believed: State | null,
    next: State,
    beside?: readonly Bound[],
  ) => Promise<Applied<{ readonly state: State }>>;
  /** Returns the write of {@link compareAndSet} for a conditional batch. */
  readonly bind: (key: Key, believed: State | null, next: State) => Bound;
}

/**
 * Makes the driver prepare each statement again before its next use. The driver encodes a value
 * with the fields that its type had when the statement was prepared. After a migration, Cassandra
 * asks only the first client that uses the statement to prepare it again. Other clients would write
 * values without the new fields, and their conditions would never match a state that has them.
 */
export const prepareAgain = ({ client }: Cassandra): void => {
  client.metadata.clearPrepared();
};

/**
 * Declares a table of states with its conditional write and its serial read.
 * @param declaration `partition`: the columns of the partition key, if they are not the whole key;
 *   `at`: the clustering key of the state in a partition that has other rows too; `ttlSeconds`:
 *   returns the TTL of a state in seconds, 0 for none; unset if no state has a TTL
 */
export function stateTable<Key extends Columns, State>(declaration: {
  table: string;
  key: Key;
  partition?: Columns;
  at?: Readonly<Record<string, string>>;
  state: z.ZodType<State>;
  ttlSeconds?: (state: State) => number;
}): StateTable<Values<Key>, State> {
  const { table, key, partition = key, at = {}, state, ttlSeconds } = declaration;
  const row = modelOf({ state });
  const wholeKey = { ...key, ...Object.fromEntries(Object.keys(at).map((name) => [name, cql.text])) };
  const using = ttlSeconds ? ' USING TTL :ttl_seconds' : '';
  const update = declareStatement({
    // A new row is also written by an UPDATE, which writes no row marker, so the row disappears
    // when the TTL of its state ends.
    cql: `UPDATE ${table}${using} SET state = :next ${whereKey(wholeKey)} IF state = :current`,
    params: modelOf<Columns>({
      ...wholeKey,
      next: state,
      current: state.nullable(),
      ...(ttlSeconds && { ttl_seconds: cql.int }),
    }),
    row,
  });
  const select = declareStatement({
    cql: `SELECT state FROM ${table} ${whereKey(wholeKey)}`,
    params: modelOf<Columns>(wholeKey),
    row,
    serialRead: true,
  });

  const valuesOf = (of: Values<Key>, current: State | null, next: State) => ({
    ...of,
    ...at,
    current,
    next,
    ...(ttlSeconds && { ttl_seconds: ttlSeconds(next) }),
  });
  const read = async (cassandra: Cassandra, of: Values<Key>) =>
    (await first(cassandra, select, { ...of, ...at }))?.state;
  const writeTogether = async (cassandra: Cassandra, of: Values<Key>, writes: readonly Bound[]) => {
    if (await appliedBatch(cassandra, writes)) return { applied: true } as const;
    const current = await read(cassandra, of);
    return { applied: false, current: current === undefined ? undefined : { state: current } } as const;
  };
  return {
    name: table,
    partition,
    key,
    at,
    state,
    read,
    compareAndSet: async (cassandra, of, believed, next, beside = []) => {
      const values = valuesOf(of, believed, next);
      const result =
        beside.length === 0
          ? await applied(cassandra, update, values)
          : await writeTogether(cassandra, of, [bind(update, values), ...beside]);
      if (!result.applied && believed !== null && isDeepStrictEqual(result.current?.state, believed))
        prepareAgain(cassandra);
      return result;
    },
    bind: (of, believed, next) => bind(update, valuesOf(of, believed, next)),
  };
}
