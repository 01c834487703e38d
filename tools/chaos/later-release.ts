import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../..');
const PARTS = ['src', 'cql', 'tools/chaos', 'package.json', 'schema.graphql'];

/**
 * A change that a later release may make to the schema while servers of this one are still at work.
 */
const STEP = `
-- A column, a field of a state that is compared and set as a whole, and a table.
ALTER TABLE books ADD later text;
ALTER TYPE like_state ADD later text;
CREATE TABLE IF NOT EXISTS later (id int PRIMARY KEY, value text);
`;

/**
 * Makes a later release of this project: the same with one more schema step.
 * @param folder the folder that is made for it
 */
export async function makeLaterRelease(folder: string): Promise<void> {
  await mkdir(folder);
  for (const part of PARTS) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  // Steps are applied in the order of their names.
  await writeFile(join(folder, 'cql', 'zz_later.cql'), STEP);
}
