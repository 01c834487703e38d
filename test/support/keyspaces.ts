import pLimit from 'p-limit';
import { withSchemaClient } from '../../src/schema/client.ts';
import type { CassandraConfig } from '../../src/config/config.ts';
import { PATIENTLY } from '../../tools/support/patience.ts';

/**
 * The number of tables that are emptied at a time. More at once make Cassandra slower, not faster.
 */
const EMPTIED_AT_ONCE = 8;

/**
 * Empties every table of a keyspace if it exists, and keeps its schema. Creating the schema again
 * takes ten times as long.
 * @returns true if the keyspace exists
 */
export async function emptyKeyspace(config: CassandraConfig): Promise<boolean> {
  return withSchemaClient(config, undefined, async (client) => {
    const { rows } = await client.execute(
      'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
      [config.keyspace],
      { prepare: true },
    );
    const tables = rows.map((row) => row['table_name'] as string).filter((table) => table !== 'schema_steps');
    const atOnce = pLimit(EMPTIED_AT_ONCE);
    await Promise.all(
      tables.map((table) => atOnce(() => client.execute(`TRUNCATE ${config.keyspace}.${table}`, [], PATIENTLY))),
    );
    return rows.length > 0;
  });
}

/** Drops every keyspace whose name has this prefix, with all its data. */
export async function dropKeyspaces(config: CassandraConfig, prefix: string): Promise<void> {
  await withSchemaClient(config, undefined, async (client) => {
    const { rows } = await client.execute('SELECT keyspace_name FROM system_schema.keyspaces');
    const names = rows.map((row) => row['keyspace_name'] as string).filter((name) => name.startsWith(prefix));
    for (const name of names) await client.execute(`DROP KEYSPACE IF EXISTS ${name}`, [], PATIENTLY);
  });
}
