import { parseArgs } from 'node:util';
import { say } from '../../src/terminal/progress.ts';
import { simulateRound } from '../simulation/simulation.ts';

/**
 * `npm run chaos -- simulate [--seed N] [--steps N]`: makes calls in a simulated world of faults,
 * and checks for drift and linearizability.
 */

const STEPS_PER_ROUND = 10_000;
const { values } = parseArgs({ options: { seed: { type: 'string' }, steps: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const stepsWanted = Number(values.steps ?? 1_000_000);
if (!Number.isSafeInteger(seed) || seed < 0 || !Number.isSafeInteger(stepsWanted) || stepsWanted < 1) {
  say('Usage: npm run chaos -- simulate [--seed N] [--steps N], whole numbers; the steps at least 1');
  process.exit(2);
}

say(`seed ${seed}, ${stepsWanted} steps`);
const total = { rounds: 0, steps: 0, calls: 0, unknown: 0, crashes: 0 };
for (let next = seed; total.steps < stepsWanted; next++) {
  const round = await simulateRound(next, STEPS_PER_ROUND);
  total.rounds++;
  for (const name of ['steps', 'calls', 'unknown', 'crashes'] as const) total[name] += round[name];
  if (round.problems.length > 0) {
    for (const problem of round.problems) say(problem);
    say(`In ${round.mode}.`);
    say(`Reproduce this with: npm run chaos -- simulate --seed ${next} --steps 1`);
    process.exit(1);
  }
  if (total.rounds % 20 === 0) say(`${total.steps} steps, ${total.calls} calls, ${total.crashes} crashes`);
}
say(
  `${total.steps} steps in ${total.rounds} rounds: ${total.calls} calls, ${total.unknown} of unknown outcome, ` +
    `${total.crashes} servers died; zero drift, all calls linearizable`,
);
process.exit(0);
