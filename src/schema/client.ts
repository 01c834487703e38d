import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryOptions, types } from 'cassandra-driver';
import { backOff, schemaClient } from '../cassandra/client.ts';
import { convertError } from '../cassandra/errors.ts';
import { connect } from '../cassandra/topology.ts';
import { untilKnown } from '../cassandra/retries.ts';
import type { CassandraConfig } from '../config/config.ts';
import { SchemaError } from './errors.ts';

/**
 * The timeout of a change. A node makes one schema change at a time, and may make those of other
 * keyspaces first.
 */
const CHANGED_WITHIN_MS = 120_000;
const AGREED_WITHIN_MS = 30_000;
const AGREEMENT_LOOK_MS = 50;

/**
 * Runs work with a client for reading and changing the schema.
 * @param keyspace unset if it may not exist yet
 */
export async function withSchemaClient<Result>(
  config: CassandraConfig,
  keyspace: string | undefined,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = schemaClient(config, keyspace);
  try {
    await connect(client, config);
    return await use(client);
  } finally {
    await client.shutdown();
  }
}

/**
 * Returns a function that changes the schema and waits until all nodes know the change.
 *
 * One node executes all changes and reports whether the others agree. Another node may not yet know
 * the schema that a statement builds on, and reports agreement until it hears of the change.
 */
export function schemaChanges(client: Client, { localDataCenter }: CassandraConfig) {
  const host = client.hosts.values().find((each) => each.datacenter === localDataCenter && each.isUp());
  const node: Pick<QueryOptions, 'host'> = host ? { host } : {};
  return async (statements: readonly string[]): Promise<void> => {
    const options = { prepare: false, readTimeout: CHANGED_WITHIN_MS, ...node };
    for (const statement of statements) await client.execute(statement, [], options);
    await untilAgreed(client, node);
  };
}

async function untilAgreed(client: Client, node: Pick<QueryOptions, 'host'>): Promise<void> {
  const deadline = Date.now() + AGREED_WITHIN_MS;
  const versionsIn = async (table: string) =>
    (await client.execute(`SELECT schema_version FROM ${table}`, [], node)).rows.flatMap(
      ({ schema_version: version }) => (version === null ? [] : [String(version)]),
    );
  for (;;) {
    const versions = await Promise.all([versionsIn('system.local'), versionsIn('system.peers_v2')]);
    if (new Set(versions.flat()).size === 1) return;
    if (Date.now() > deadline)
      throw new SchemaError('The nodes of the cluster do not agree on its schema; see `nodetool describecluster`.');
    await sleep(AGREEMENT_LOOK_MS);
  }
}

/**
 * Executes a conditional write until its outcome is known, because processes that start together
 * contend. The caller must recognise its own earlier attempt.
 */
export const executeConditional = (client: Client, cql: string, params: readonly unknown[]): Promise<types.ResultSet> =>
  untilKnown({ backOff }, async () => {
    try {
      return await client.execute(cql, [...params]);
    } catch (error) {
      throw convertError('schema_steps', error);
    }
  });
