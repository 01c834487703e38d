import type { CassandraConfig } from '../../src/config/config.ts';
import type { Log } from '../../src/terminal/progress.ts';
import { requireAdmittedRelease, storedSchema } from '../../src/schema/check.ts';
import { schemaChanges, withSchemaClient } from '../../src/schema/client.ts';
import { declaredFiles } from '../../src/schema/declared.ts';
import { SchemaError } from '../../src/schema/errors.ts';
import { inKeyspace } from '../../src/schema/migrate.ts';
import { readRecords, whileLocked } from '../../src/schema/records.ts';

/**
 * Creates the tables that a keyspace has lost, with this release's declarations.
 * @throws {SchemaError} if the keyspace has no schema, or a newer one
 */
export async function createMissing(config: CassandraConfig, tables: readonly string[], log: Log): Promise<void> {
  const { keyspace } = config;
  await withSchemaClient(config, undefined, async (client) => {
    const records = await readRecords(client, keyspace);
    if (records?.createdBy === undefined)
      throw new SchemaError(
        `The keyspace ${keyspace} has no schema yet. Run \`npm run admin -- migrate apply\` first.`,
      );
    requireAdmittedRelease(keyspace, records);

    await whileLocked(client, keyspace, log, async (requireLock) => {
      const stored = new Set((await storedSchema(client, keyspace)).tables.map(({ name }) => name));
      const missing = tables.filter((table) => !stored.has(table));
      const statements = (await declaredFiles()).flatMap((file) => file.statements);
      const change = schemaChanges(client, config);
      for (const table of missing) {
        await requireLock();
        log(`creating the table ${table}`);
        const create = statements.filter((each) => each.startsWith(`CREATE TABLE IF NOT EXISTS ${table} (`));
        await change(create.map((each) => inKeyspace(keyspace, each)));
      }
    });
  });
}
