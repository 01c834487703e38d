import type { Client } from 'cassandra-driver';
import { z } from 'zod';
import type { CassandraConfig } from '../config/config.ts';
import { compareReleases, RELEASE } from '../config/release.ts';
import { withSchemaClient } from './client.ts';
import { declaredSchema, type Column, type Schema } from './declared.ts';
import { SchemaError } from './errors.ts';
import { readMigrations, type Migration, type Step } from './migrations.ts';
import { readRecords, type Records } from './records.ts';

/** The maximum number of differences that an error names. */
const NAMED_MAX = 5;
const APPLY = 'Run `npm run admin -- migrate apply` of this release first.';

/**
 * Checks that the keyspace has everything that this release needs, and changes nothing. A newer
 * release may have added to it.
 * @throws {SchemaError} naming the missing parts, and what to do
 */
export async function checkSchema(config: CassandraConfig): Promise<void> {
  const { keyspace } = config;
  await withSchemaClient(config, undefined, async (client) => {
    const records = await readRecords(client, keyspace);
    if (records?.createdBy === undefined) throw new SchemaError(`The keyspace ${keyspace} has no schema yet. ${APPLY}`);
    requireAdmittedRelease(keyspace, records);

    const migrations = await readMigrations();
    requireUnchangedMigrations(keyspace, records, migrations);
    const missing = migrations.find(({ expand }) => expand.some(({ name }) => !records.steps.has(name)));
    if (missing) throw new SchemaError(`The keyspace ${keyspace} lacks the migration ${missing.name}. ${APPLY}`);
    await requireDeclaredSchema(client, keyspace);
  });
}

/**
 * @throws {SchemaError} if a newer release has made the schema unusable for this one, or if the
 *   keyspace is being restored
 */
export function requireAdmittedRelease(keyspace: string, { oldestReleases, restoring }: Records): void {
  if (restoring)
    throw new SchemaError(
      `The keyspace ${keyspace} is being restored from a backup: ` +
        'end that by `npm run admin -- restore finish` first.',
    );
  const tooOld = [...oldestReleases].find(([, oldest]) => compareReleases(RELEASE, oldest) < 0);
  if (!tooOld) return;
  const [migration, oldest] = tooOld;
  throw new SchemaError(
    `The keyspace ${keyspace} has the migration ${migration}, with which only release ${oldest} ` +
      'or a newer one can run; ' +
      `this is release ${RELEASE}. Start a newer release.`,
  );
}

/** @throws {SchemaError} if a step was changed after it had been applied */
export function requireUnchangedMigrations(
  keyspace: string,
  { steps }: Records,
  migrations: readonly Migration[],
): void {
  const isChanged = ({ name, checksum }: Step) => steps.has(name) && steps.get(name) !== checksum;
  const changed = migrations.flatMap(({ expand, contract }) => [...expand, ...contract]).find(isChanged);
  if (changed)
    throw new SchemaError(
      `The keyspace ${keyspace} was migrated with another statement of ${changed.name}. ` +
        'A released migration never changes: start the release that made it, and write a new migration.',
    );
}

/** @throws {SchemaError} if a table, column or type is missing, or differs */
export async function requireDeclaredSchema(client: Client, keyspace: string): Promise<void> {
  const differences = differencesOf(await declaredSchema(), await storedSchema(client, keyspace));
  if (differences.length === 0) return;
  const more = differences.length - NAMED_MAX;
  throw new SchemaError(
    `The keyspace ${keyspace} does not have the schema of release ${RELEASE}: ` +
      `${differences.slice(0, NAMED_MAX).join('; ')}${more > 0 ? `; and ${more} more` : ''}. ` +
      'No migration did that. Restore the missing parts from a backup, or use another CASSANDRA_KEYSPACE; ' +
      'in development you can remove the folder .cassandra instead.',
  );
}

/**
 * Describes the parts of a declared schema that a stored schema lacks. The stored one may have
 * more.
 */
export function differencesOf(declared: Schema, stored: Schema): string[] {
  const ofTables = declared.tables.flatMap(({ name, columns }) => {
    const found = stored.tables.find((table) => table.name === name);
    if (!found) return [`the table ${name} is missing`];
    return columns.flatMap((column) => {
      const other = found.columns.find((each) => each.name === column.name);
      if (!other) return [`the column ${name}.${column.name} is missing`];
      return wordsOf(other) === wordsOf(column)
        ? []
        : [`the column ${name}.${column.name} is ${wordsOf(other)} instead of ${wordsOf(column)}`];
    });
  });
  const ofTypes = declared.types.flatMap(({ name, fields }) => {
    const found = stored.types.find((type) => type.name === name);
    if (!found) return [`the type ${name} is missing`];
    return fields.flatMap((field) => {
      const other = found.fields.find((each) => each.name === field.name);
      if (!other) return [`the field ${name}.${field.name} is missing`];
      return other.type === field.type
        ? []
        : [`the field ${name}.${field.name} is ${other.type} instead of ${field.type}`];
    });
  });
  return [...ofTables, ...ofTypes];
}

const wordsOf = ({ type, kind, position }: Column) =>
  kind === 'regular' ? type : `${type} (${kind}${position < 0 ? '' : ` ${position + 1}`})`;

const columnRow = z.object({
  table_name: z.string(),
  column_name: z.string(),
  type: z.string(),
  kind: z.enum(['partition_key', 'clustering', 'static', 'regular']),
  position: z.int(),
});
const typeRow = z.object({ type_name: z.string(), field_names: z.string().array(), field_types: z.string().array() });

/** Reads the schema that a keyspace has, without the options of its tables. */
export async function storedSchema(client: Client, keyspace: string): Promise<Schema> {
  const [columns, types] = await Promise.all([
    client.execute(
      'SELECT table_name, column_name, type, kind, position FROM system_schema.columns WHERE keyspace_name = ?',
      [keyspace],
    ),
    client.execute('SELECT type_name, field_names, field_types FROM system_schema.types WHERE keyspace_name = ?', [
      keyspace,
    ]),
  ]);
  const ofTables = Map.groupBy(
    columns.rows.map((row) => columnRow.parse({ ...row })),
    ({ table_name: table }) => table,
  );
  return {
    tables: [...ofTables].map(([name, rows]) => ({
      name,
      columns: rows.map(({ column_name: column, type, kind, position }) => ({ name: column, type, kind, position })),
      options: '',
    })),
    types: types.rows.map((row) => {
      const { type_name: name, field_names: names, field_types: fieldTypes } = typeRow.parse({ ...row });
      return { name, fields: names.map((field, index) => ({ name: field, type: fieldTypes[index] ?? '' })) };
    }),
  };
}
