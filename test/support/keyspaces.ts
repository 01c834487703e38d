import { migrate, withSchemaClient } from '../../src/cassandra/schema.ts';
import type { CassandraConfig } from '../../src/config/config.ts';

/** A DROP waits for what is under way, on a machine that others keep busy. */
const DROP_WITHIN_MS = 120_000;

/** Makes a keyspace with the schema, unless it is there: without a commit log, so that nothing is flushed when it is dropped. */
export async function makeKeyspace(config: CassandraConfig): Promise<void> {
  await withSchemaClient(config, undefined, (client) =>
    client.execute(
      `CREATE KEYSPACE IF NOT EXISTS ${config.keyspace} WITH replication = ` +
        `{'class': 'NetworkTopologyStrategy', '${config.localDataCenter}': 1} AND durable_writes = false`,
    ),
  );
  await migrate(config, () => undefined);
}

/** Drops every keyspace whose name begins so, with all its data. */
export async function dropKeyspaces(config: CassandraConfig, prefix: string): Promise<void> {
  await withSchemaClient(config, undefined, async (client) => {
    const { rows } = await client.execute('SELECT keyspace_name FROM system_schema.keyspaces');
    const names = rows.map((row) => row['keyspace_name'] as string).filter((name) => name.startsWith(prefix));
    for (const name of names)
      await client.execute(`DROP KEYSPACE IF EXISTS ${name}`, [], { readTimeout: DROP_WITHIN_MS });
  });
}
