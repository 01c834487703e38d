import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recent } from '../src/cassandra/recent-reads.ts';

/** The rows that a process caches briefly, compared with a list of all rows that were added. */

const MILLISECONDS = 10;
const ROWS_MAX = 8;

const step = fc.oneof(
  fc.record({ does: fc.constant('keep'), key: fc.integer({ min: 0, max: 11 }).map(String) }),
  fc.record({ does: fc.constant('fail'), key: fc.integer({ min: 0, max: 11 }).map(String) }),
  fc.record({ does: fc.constant('forget'), key: fc.integer({ min: 0, max: 11 }).map(String) }),
  fc.record({ does: fc.constant('wait'), milliseconds: fc.integer({ min: 1, max: 12 }) }),
);

test('a cached row is the newest one read, never too old, and removed only for lack of room', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let now = 0;
      const recent = new Recent<number>({
        name: 'TEST',
        milliseconds: MILLISECONDS,
        sizeMax: ROWS_MAX,
        monotonicNow: () => now,
      });
      /** The newest row of each key first. */
      let given: { key: string; value: number; at: number }[] = [];
      for (const [value, each] of steps.entries()) {
        if ('milliseconds' in each) now += each.milliseconds;
        else {
          given = given.filter(({ key }) => key !== each.key);
          if (each.does === 'keep') {
            given.unshift({ key: each.key, value, at: now });
            await recent.keep(each.key, () => Promise.resolve(value));
          } else if (each.does === 'fail') {
            await expect(recent.keep(each.key, () => Promise.reject(new Error('no answer')))).rejects.toThrow();
          } else recent.forget(each.key);
        }

        const kept = given.filter(({ key }) => recent.kept(key) !== undefined);
        for (const { key, value: newest } of kept) expect(recent.kept(key)).toBe(newest);
        expect(kept.every(({ at }) => now - at <= MILLISECONDS)).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(ROWS_MAX);
        // A pending read that will fail also takes room.
        const isAlone = steps.slice(0, value + 1).every(({ does }) => does !== 'fail' && does !== 'forget');
        const room = given.slice(0, ROWS_MAX / 2).filter(({ at }) => now - at <= MILLISECONDS);
        if (isAlone) expect(kept).toEqual(expect.arrayContaining(room));
      }
    }),
    { numRuns: 500 },
  );
});
