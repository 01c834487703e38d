import type { QueryOptions, types } from 'cassandra-driver';
import type { Cassandra } from '../../src/cassandra/statement.ts';

/** A statement, or a batch as one text, on its way to Cassandra. */
export interface Sent {
  readonly cql: string;
  /** Values by name; none for a batch. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly options: QueryOptions;
  /** Makes Cassandra execute the statement. */
  readonly send: () => Promise<types.ResultSet>;
}

/**
 * Returns a connection whose statements a test can observe and delay, and that can fail or lose
 * their answers.
 * @param answer returns the result that the process receives
 */
export function intercepted(cassandra: Cassandra, answer: (sent: Sent) => Promise<types.ResultSet>): Cassandra {
  const { client } = cassandra;
  const between = Object.assign(Object.create(client) as Cassandra['client'], {
    execute: (cql: string, values: Record<string, unknown>, options: QueryOptions) =>
      answer({ cql, values, options, send: () => client.execute(cql, values, options) }),
    batch: (queries: { query: string }[], options: QueryOptions) =>
      answer({
        cql: queries.map(({ query }) => query).join(';\n'),
        values: {},
        options,
        send: () => client.batch(queries, options),
      }),
  });
  return { ...cassandra, client: between };
}
