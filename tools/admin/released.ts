import { say } from '../../src/terminal/progress.ts';
import { brokenForms, formsNow, formsOf, readReleased, recordReleased } from '../support/stored-forms.ts';

/**
 * `npm run admin -- released`: records the stored forms of the release that is being made. Later
 * code is compared with them.
 */

const broken = brokenForms(formsOf(await readReleased()), await formsNow());
if (broken.length > 0 && !process.argv.includes('--contracted')) {
  for (const each of broken) say(each);
  say('Servers of two releases run at the same time: see "A change of the schema" in CONTRIBUTING.md.');
  say('Once no server of the former release can run at the same time: npm run admin -- released --contracted');
  process.exit(1);
}
const { release, schema } = await recordReleased();
say(`release ${release} is recorded in cql/released.json, with ${schema.length} tables and types`);
process.exit(0);
