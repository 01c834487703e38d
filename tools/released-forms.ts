import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../src/terminal/progress.ts';
import { brokenForms, formsNow, storedForms } from './support/stored-forms.ts';

/**
 * `npm run released`: records the stored forms of the release that is being made, which later code
 * is compared with.
 */

const FILE = join(import.meta.dirname, '../cql/released.json');
const text = await readFile(FILE, 'utf8').catch(() => undefined);
const now = await formsNow();
const broken = text === undefined ? [] : brokenForms(storedForms.parse(JSON.parse(text)), now);
if (broken.length > 0 && !process.argv.includes('--contracted')) {
  for (const each of broken) say(each);
  say('Servers of two releases run side by side: see "A change of the schema" in CONTRIBUTING.md.');
  say('Once no server of the former release can run beside this one: npm run released -- --contracted');
  process.exit(1);
}
await writeFile(FILE, `${JSON.stringify(now, undefined, 2)}\n`);
say(
  `${Object.keys(now.tables).length} tables and ${Object.keys(now.types).length} types are recorded in cql/released.json`,
);
process.exit(0);
