import type { z } from 'zod';
import { whereKey } from './by-key.ts';
import { cql, modelOf, type Columns, type Values } from './codecs.ts';
import { applied, bind, declareStatement, first, type Applied, type Bound, type Cassandra } from './statement.ts';

/** A table whose rows are nothing but a key and a `state`, which conditional writes alone change: a source of truth. */
export interface StateTable<Key, State> {
  /** The state of a row as conditional writes left it, one in progress included; `undefined` where there is no row. */
  readonly read: (cassandra: Cassandra, key: Key) => Promise<State | undefined>;
  /** Writes a state on condition that the row is as believed; null: that there is none. */
  readonly compareAndSet: (
    cassandra: Cassandra,
    key: Key,
    believed: State | null,
    next: State,
  ) => Promise<Applied<{ readonly state: State }>>;
  /** The write of {@link compareAndSet}, to go into a conditional batch. */
  readonly bind: (key: Key, believed: State | null, next: State) => Bound;
}

/**
 * Declares a table of states, with its conditional write and its serial read.
 * @param declaration `ttlSeconds`: how long a state is kept, 0 for good; unset where every state is kept for good
 */
export function stateTable<Key extends Columns, State>(declaration: {
  table: string;
  key: Key;
  state: z.ZodType<State>;
  ttlSeconds?: (state: State) => number;
}): StateTable<Values<Key>, State> {
  const { table, key, state, ttlSeconds } = declaration;
  const row = modelOf({ state });
  const using = ttlSeconds ? ' USING TTL :ttl_seconds' : '';
  const update = declareStatement({
    // An update also where there is no row: it is nothing but its state, so that one whose state has ended is gone.
    cql: `UPDATE ${table}${using} SET state = :next ${whereKey(key)} IF state = :current`,
    params: modelOf<Columns>({
      ...key,
      next: state,
      current: state.nullable(),
      ...(ttlSeconds && { ttl_seconds: cql.int }),
    }),
    row,
  });
  const select = declareStatement({
    cql: `SELECT state FROM ${table} ${whereKey(key)}`,
    params: modelOf(key),
    row,
    serialRead: true,
  });

  const valuesOf = (of: Values<Key>, current: State | null, next: State) => ({
    ...of,
    current,
    next,
    ...(ttlSeconds && { ttl_seconds: ttlSeconds(next) }),
  });
  return {
    read: async (cassandra, of) => (await first(cassandra, select, of))?.state,
    compareAndSet: (cassandra, of, believed, next) => applied(cassandra, update, valuesOf(of, believed, next)),
    bind: (of, believed, next) => bind(update, valuesOf(of, believed, next)),
  };
}
