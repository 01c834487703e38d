import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../..');
const PARTS = ['src', 'cql', 'tools/chaos', 'package.json', 'schema.graphql'];

/** The folder of the migrations of a release. */
export const migrationsOf = (release: string) => join(release, 'cql/migrations');
export const LATER_MIGRATION = '9999-later';
const LATER_RELEASE = '999.0.0';

/** A change of the schema beside which servers of this release go on working. */
const EXPAND = `
-- A column, a field of a state that is compared and set as a whole, and a table.
ALTER TABLE books ADD IF NOT EXISTS later text;
ALTER TYPE like_state ADD IF NOT EXISTS later text;
CREATE TABLE IF NOT EXISTS later (id int PRIMARY KEY, value text);
`;

/** A table that is dropped once no server of this release is left. */
const CONTRACT = `
DROP TABLE IF EXISTS later;
`;

/**
 * Makes a later release of this project: the same with a number of its own and one more migration.
 * @param folder the folder that is made for it
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
  await writeFile(join(migration, 'expand.cql'), EXPAND);
  await writeFile(join(migration, 'contract.cql'), CONTRACT);
}
