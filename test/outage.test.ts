import { expect, test } from 'vitest';
import { MODES } from './simulation/cluster/nodes.ts';
import { simulateOutage } from './simulation/outage.ts';

/** What an outage costs, and how soon after its end all is finished; what it is on real nodes is in bench/RESULTS.md. */

/** After two minutes nothing waits any longer than before, so that an hour shows no more. */
const OUTAGE_MS = 480_000;
const FINISHED_WITHIN_MS = 60_000;
const COST_MAX = 2;

const modeOf = (begins: string) => MODES.find(({ name }) => name.startsWith(begins))!;

// With seeds at which something fails in the moment of the cut.
test.each([
  ['the smaller of two data centres', 'two data centres', ['b'], 3],
  ['one of three data centres', 'three data centres', ['c'], 5],
  ['two of three data centres, so that nobody has a majority', 'three data centres', ['b', 'c'], 2],
])(
  'without %s nobody sends more than twice as much for recovery, and all is finished within a minute of its return',
  async (_what, modeName, cutOff, seed) => {
    const { before, during, waiting, finishedMs, problems } = await simulateOutage(
      seed,
      modeOf(modeName),
      cutOff,
      OUTAGE_MS,
    );
    expect(problems).toEqual([]);
    // There was something to be tried again, and again.
    expect(waiting).toBeGreaterThan(0);
    expect(finishedMs).toBeLessThanOrEqual(FINISHED_WITHIN_MS);
    for (const side of ['staying', 'cutOff'] as const)
      expect(during[side].recovery).toBeLessThanOrEqual(COST_MAX * before[side].recovery);
  },
  300_000,
);

test("jobs of one reader that get in each other's way are finished all the same while a data centre is gone", async () => {
  // With two replicas left each of two that meet keeps the other from a majority.
  const { oldestJobMs, problems } = await simulateOutage(13, modeOf('two data centres'), ['b'], 240_000);
  expect(problems).toEqual([]);
  expect(oldestJobMs).toBeLessThanOrEqual(FINISHED_WITHIN_MS);
}, 300_000);
