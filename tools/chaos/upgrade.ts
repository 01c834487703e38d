import { parseArgs } from 'node:util';
import { say } from '../../src/terminal/progress.ts';
import { upgrade } from '../upgrade/upgrade.ts';

/**
 * `npm run chaos -- upgrade [--rounds N]`: replaces two servers behind HAProxy by a later release,
 * and back, under load. Readers like, read, sell and log in meanwhile.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } });
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) {
  say('Usage: npm run chaos -- upgrade [--rounds N], N times up and down, at least 1');
  process.exit(2);
}

const { problems, delays } = await upgrade({
  contactPoints: process.env['CASSANDRA_CONTACT_POINTS']?.split(','),
  rounds,
});
for (const problem of [...problems, ...delays]) say(problem);
process.exit(problems.length + delays.length === 0 ? 0 : 1);
