import { expect, test } from 'vitest';
import { MODES } from '../tools/simulation/cluster/nodes.ts';
import { simulateOutage } from '../tools/simulation/outage.ts';

/** What an outage costs, and how soon after its end all is finished; what it is on real nodes is in bench/RESULTS.md. */

/** After two minutes nothing waits any longer than before, so that an hour shows no more. */
const OUTAGE_MS = 480_000;
const FINISHED_WITHIN_MS = 60_000;
const COST_MAX = 2;

const modeOf = (begins: string) => MODES.find(({ name }) => name.startsWith(begins))!;

/** At most seeds nothing is in such a moment when the data centre is cut off that it must be tried again. */
const SEEDS_MAX = 20;

test.each([
  ['the smaller of two data centres', 'two data centres', ['b']],
  ['one of three data centres', 'three data centres', ['c']],
  ['two of three data centres, so that nobody has a majority', 'three data centres', ['b', 'c']],
])(
  'without %s nobody sends more than twice as much for recovery, and all is finished within a minute of its return',
  async (_what, modeName, cutOff) => {
    for (let seed = 1, hasWaited = false; !hasWaited; seed++) {
      const outcome = await simulateOutage(seed, modeOf(modeName), cutOff, OUTAGE_MS);
      const { before, during, waiting, finishedMs, problems } = outcome;
      expect(problems, `seed ${seed}`).toEqual([]);
      expect(finishedMs, `seed ${seed}`).toBeLessThanOrEqual(FINISHED_WITHIN_MS);
      for (const side of ['staying', 'cutOff'] as const)
        expect(during[side].recovery, `seed ${seed}`).toBeLessThanOrEqual(COST_MAX * before[side].recovery);

      // There must be something to be tried again, and again.
      hasWaited = waiting > 0;
      expect(seed, 'seeds at which nothing waited').toBeLessThan(SEEDS_MAX);
    }
  },
  300_000,
);

test("jobs of one reader that get in each other's way are finished all the same while a data centre is gone", async () => {
  // With two replicas left each of two that meet keeps the other from a majority.
  const { oldestJobMs, problems } = await simulateOutage(13, modeOf('two data centres'), ['b'], 240_000);
  expect(problems).toEqual([]);
  expect(oldestJobMs).toBeLessThanOrEqual(FINISHED_WITHIN_MS);
}, 300_000);
