import { parseArgs } from 'node:util';
import { say } from '../../src/terminal/progress.ts';
import { upgrade } from '../upgrade/upgrade.ts';

/**
 * `npm run chaos -- upgrade [--rounds N]`: upgrades two servers behind HAProxy to a later release,
 * and downgrades them, under load. Readers like, read, sell and log in meanwhile.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } });
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) {
  say('Usage: npm run chaos -- upgrade [--rounds N], N upgrades and downgrades, at least 1');
  process.exit(2);
}

const { problems, delays } = await upgrade({
  contactPoints: process.env['CASSANDRA_CONTACT_POINTS']?.split(','),
  rounds,
});
for (const problem of [...problems, ...delays]) say(problem);
process.exit(problems.length + delays.length === 0 ? 0 : 1);
