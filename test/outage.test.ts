import { expect, test } from 'vitest';
import { MODES } from '../tools/simulation/cluster/nodes.ts';
import { simulateOutage } from '../tools/simulation/outage.ts';

/**
 * The cost of an outage, and the time until all is finished after it. bench/RESULTS.md has the
 * figures on real nodes.
 */

/**
 * The length of an outage. After two minutes the waiting times no longer grow, so an hour would
 * show nothing more.
 */
const OUTAGE_MS = 240_000;
const FINISHED_WITHIN_MS = 60_000;
const COST_MAX = 2;

const modeOf = (begins: string) => MODES.find(({ name }) => name.startsWith(begins))!;

/**
 * The number of seeds to search, because with most of them no work is cut off that must be retried.
 */
const SEEDS_SEARCHED = 20;

test.each([
  ['the smaller of two data centres', 'two data centres', ['b'], 13],
  ['one of three data centres', 'three data centres', ['c'], 1],
  ['two of three data centres, which leaves no majority', 'three data centres', ['b', 'c'], 5],
])(
  'without %s no server sends more than twice as much for recovery, and all is finished within a minute of its return',
  async (_what, modeName, cutOff, known) => {
    let hasWaited = false;
    // At the known seed some work waits, unless the statements have changed since.
    for (const seed of [known, ...Array.from({ length: SEEDS_SEARCHED }, (_each, index) => index + 1)]) {
      const outcome = await simulateOutage(seed, modeOf(modeName), cutOff, OUTAGE_MS);
      const { before, during, waiting, oldestJobMs, finishedMs, problems } = outcome;
      expect(problems, `seed ${seed}`).toEqual([]);
      expect(finishedMs, `seed ${seed}`).toBeLessThanOrEqual(FINISHED_WITHIN_MS);
      // Jobs of one reader that meet keep each other from a majority. They are finished all the
      // same.
      if (cutOff.length === 1) expect(oldestJobMs, `seed ${seed}`).toBeLessThanOrEqual(FINISHED_WITHIN_MS);
      for (const side of ['staying', 'cutOff'] as const)
        expect(during[side].recovery, `seed ${seed}`).toBeLessThanOrEqual(COST_MAX * before[side].recovery);

      hasWaited = waiting > 0;
      if (hasWaited) break;
    }
    expect(hasWaited, 'the outage must make something wait for several retries').toBe(true);
  },
);
