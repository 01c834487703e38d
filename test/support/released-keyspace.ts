import type { CassandraConfig } from '../../src/config/config.ts';
import { schemaChanges, withSchemaClient } from '../../src/schema/client.ts';
import { inKeyspace } from '../../src/schema/migrate.ts';
import { createRecords, recordCreation } from '../../src/schema/records.ts';
import { readReleased } from '../../tools/support/stored-forms.ts';

/** Makes a keyspace with the schema of the last release. */
export async function makeReleasedKeyspace(config: CassandraConfig): Promise<void> {
  const { keyspace, localDataCenter } = config;
  const { schema } = await readReleased();
  await withSchemaClient(config, undefined, async (client) => {
    await schemaChanges(
      client,
      config,
    )([
      `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': 1}`,
      createRecords(keyspace),
      ...schema.map((statement) => inKeyspace(keyspace, statement)),
    ]);
    await recordCreation(client, keyspace);
  });
}
