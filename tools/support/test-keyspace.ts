import type { CassandraConfig } from '../../src/config/config.ts';
import { withSchemaClient } from '../../src/schema/client.ts';
import { migrate } from '../../src/schema/migrate.ts';
import { PATIENTLY } from './patience.ts';

/**
 * Makes a keyspace with the schema, unless it exists. It has no commit log: Cassandra flushes all
 * that is in the log whenever any table is dropped, and other tests that drop tables would wait for
 * minutes.
 */
export async function makeTestKeyspace(config: CassandraConfig): Promise<void> {
  await withSchemaClient(config, undefined, (client) =>
    client.execute(
      `CREATE KEYSPACE IF NOT EXISTS ${config.keyspace} WITH replication = ` +
        `{'class': 'NetworkTopologyStrategy', '${config.localDataCenter}': 1} AND durable_writes = false`,
      [],
      PATIENTLY,
    ),
  );
  await migrate(config, () => undefined);
}
