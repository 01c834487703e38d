import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { statementsIn } from './declared.ts';
import { SchemaError } from './errors.ts';

/**
 * The migrations of `cql/migrations/`. They change the keyspace of an earlier release to the schema
 * that `cql/*.cql` declares. Each is a folder `NNNN-name` with
 *
 * - `migration.json`: {@link settings},
 * - `expand.cql`: additions. Servers of the release before still work after it.
 * - `contract.cql`, if something is dropped: servers of the release before do not work after it.
 */

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../cql/migrations');

const settings = z.strictObject({
  /** The first release that has the migration. */
  release: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** The oldest release whose servers may run after `expand.cql`. */
  oldestBeside: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** The kind of the job that fills the additions, if there is anything to fill. */
  move: z
    .string()
    .regex(/^[A-Z_]+$/)
    .optional(),
});

export interface Migration extends z.output<typeof settings> {
  /** The name of its folder. */
  readonly name: string;
  readonly expand: readonly Step[];
  readonly contract: readonly Step[];
}

/** A statement that is recorded once it was applied. It can be repeated. */
export interface Step {
  readonly name: string;
  readonly statement: string;
  /**
   * The checksum of the statement without its layout, so that the layout can be changed at any
   * time.
   */
  readonly checksum: string;
}

/**
 * Reads all migrations, in the order in which they are applied.
 * @param folder another folder of migrations, for tests
 * @throws {SchemaError} naming the file that cannot be used
 */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = await readdir(folder).catch(noneIfAbsent);
  return Promise.all(names.toSorted().map((name) => readMigration(folder, name)));
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  if (!/^\d{4}-[a-z0-9-]+$/.test(name))
    throw new SchemaError(`cql/migrations/${name}: the name must be like 0001-name`);
  const stepsOf = async (phase: 'expand' | 'contract') => {
    const text = await readFile(join(folder, name, `${phase}.cql`), 'utf8').catch(noneIfAbsent);
    return (typeof text === 'string' ? statementsIn(text) : []).map((each, index) => stepOf(name, phase, index, each));
  };

  const text = await readFile(join(folder, name, 'migration.json'), 'utf8');
  const read = settings.safeParse(JSON.parse(text));
  if (!read.success) throw new SchemaError(`cql/migrations/${name}/migration.json: ${z.prettifyError(read.error)}`);
  return { name, ...read.data, expand: await stepsOf('expand'), contract: await stepsOf('contract') };
}

function stepOf(migration: string, phase: string, index: number, statement: string): Step {
  const isRepeatable =
    /^(?:CREATE (?:TABLE|TYPE) IF NOT EXISTS|DROP (?:TABLE|TYPE) IF EXISTS|ALTER TABLE (?:IF EXISTS )?\w+ (?:ADD IF NOT EXISTS|DROP IF EXISTS|WITH)|ALTER TYPE \w+ ADD IF NOT EXISTS) /.test(
      statement,
    );
  if (!isRepeatable)
    throw new SchemaError(
      `cql/migrations/${migration}/${phase}.cql: a run that was killed may repeat this statement; ` +
        `write it with IF NOT EXISTS or IF EXISTS: ${statement}`,
    );
  const checksum = createHash('sha256').update(statement.replace(/\s+/g, ' ')).digest('hex');
  return { name: `${migration}/${phase}/${index + 1}`, statement, checksum };
}

function noneIfAbsent(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
