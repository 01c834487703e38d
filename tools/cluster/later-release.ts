import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../..');
const PARTS = ['src', 'cql', 'tools/cluster', 'package.json', 'schema.graphql'];

/** The folder of the migrations of a release. */
export const migrationsOf = (release: string) => join(release, 'cql/migrations');
export const LATER_MIGRATION = '9999-later';
const LATER_RELEASE = '999.0.0';

/**
 * Returns a change of the schema with which servers of this release continue to work: a column, a
 * table, and a field of every state, which is compared and set as a whole.
 */
const expand = (states: readonly string[]) => `
ALTER TABLE books ADD IF NOT EXISTS later text;
${states.map((state) => `ALTER TYPE ${state} ADD IF NOT EXISTS later text;`).join('\n')}
CREATE TABLE IF NOT EXISTS later (id uuid PRIMARY KEY, value text);
`;

/** A column that is dropped once no server of this release runs. */
const CONTRACT = `
ALTER TABLE books DROP IF EXISTS later;
`;

/**
 * Makes a later release of this project: the same code with its own number and one more migration.
 * @param folder the folder to create for it
 */
export async function makeLaterRelease(folder: string): Promise<void> {
  await mkdir(folder);
  for (const part of PARTS) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const about = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...about, version: LATER_RELEASE }));

  const migration = join(migrationsOf(folder), LATER_MIGRATION);
  await mkdir(migration, { recursive: true });
  const settings = { release: LATER_RELEASE, oldestBeside: about.version };
  await writeFile(join(migration, 'migration.json'), JSON.stringify(settings));
  await writeFile(join(migration, 'expand.cql'), expand(await stateTypes()));
  await writeFile(join(migration, 'contract.cql'), CONTRACT);
}

/** Returns the names of the types of states. */
async function stateTypes(): Promise<string[]> {
  const folder = join(PROJECT, 'cql');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cql'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/^CREATE TYPE IF NOT EXISTS (\w+_state)/gm), ([, name = '']) => name),
  );
}

/**
 * Makes a later release use its additions: it writes the new field into every state that it
 * changes, and a new audience, and it has a new feature with a kind of transaction, a kind of job
 * and a table.
 */
export async function useLaterSchema(folder: string): Promise<void> {
  const added = join(folder, 'src/later');
  await cp(join(PROJECT, 'tools/upgrade/later'), added, { recursive: true });
  for (const name of await readdir(added)) await replaceIn(join(added, name), "'../../../src/", "'../");
  await replaceIn(
    join(folder, 'src/features.ts'),
    'const listed = [',
    "import { feature as later } from './later/feature.ts';\nconst listed = [later,",
  );
  const table = join(folder, 'src/cassandra/state-table.ts');
  await replaceIn(
    table,
    "import type { z } from 'zod';",
    "import { withLaterField } from '../later/field.ts';\nimport type { z } from 'zod';",
  );
  await replaceIn(table, '    next,\n', '    next: withLaterField(next),\n');
  const stored = join(folder, 'src/graphql/audience.ts');
  await replaceIn(
    stored,
    "export const storedAudience = cql.oneOf(AUDIENCES, 'ONLY_ME');",
    "export { storedAudience } from '../later/audience.ts';",
  );
  await replaceIn(stored, "import { cql } from '../cassandra/columns.ts';\n", '');
  await replaceIn(
    join(folder, 'src/accounts/changes.ts'),
    '{ likes_audience: likes }',
    "{ likes_audience: (await import('../later/audience.ts')).laterAudience(likes) as never }",
  );
}

async function replaceIn(file: string, text: string, other: string): Promise<void> {
  const before = await readFile(file, 'utf8');
  if (!before.includes(text))
    throw new Error(`${file} has no ${JSON.stringify(text)}: adapt tools/cluster/later-release.ts`);
  await writeFile(file, before.replaceAll(text, other));
}
