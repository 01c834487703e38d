import fc from 'fast-check';
import { register } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { repairedSince, repairsOf, type Repair } from '../src/cassandra-repair/ages.ts';
import { measureRepairs } from '../src/cassandra-repair/repairs.worker.ts';
import { sharedKeyspace, startServer } from './support/app.ts';

/** The age of the last repair of the replicas. */

const CREATED = new Date('2026-01-01T00:00:00Z');
const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;
const repair = (finished_at: Date | null, ...successful_ranges: string[]): Repair => ({
  finished_at,
  successful_ranges,
});

describe('the time since which the whole ring was repaired', () => {
  const RING = [-100n, 0n, 100n];
  test.each<[string, Repair[], Date]>([
    ['of a ring that was never repaired', [], CREATED],
    [
      'of one whose nodes were repaired in turn',
      [repair(day(5), '(-100,0]'), repair(day(6), '(0,100]'), repair(day(7), '(100,-100]')],
      day(5),
    ],
    ['of one that lacks a node', [repair(day(5), '(-100,0]', '(0,100]')], CREATED],
    [
      'of one that was repaired again',
      [repair(day(5), '(-100,0]', '(0,-100]'), repair(day(8), '(0,-100]'), repair(day(9), '(-100,0]')],
      day(8),
    ],
    ['of one with a repair that goes on', [repair(null, '(-100,0]', '(0,-100]')], CREATED],
    ['of one with a repair that failed', [{ finished_at: day(5), successful_ranges: null }], CREATED],
    ['of one with ranges in parts', [repair(day(5), '(-100,-50]', '(-50,70]'), repair(day(6), '(70,-100]')], day(5)],
  ])('%s', (_what, repairs, since) => {
    expect(repairedSince(RING, repairs, CREATED)).toEqual(since);
  });

  test('is the time of the token whose last repair is oldest', () => {
    const token = fc.integer({ min: -20, max: 20 });
    const ranges = fc.array(fc.tuple(token, token), { maxLength: 4 });
    const repairs = fc.array(fc.record({ at: fc.integer({ min: 2, max: 28 }), ranges }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(token, { minLength: 1, maxLength: 4 }), repairs, (tokens, done) => {
        const isIn = (of: bigint, [above, upTo]: [number, number]) =>
          above < upTo ? of > above && of <= upTo : of > above || of <= upTo;
        const all = [LOWEST + 1n, HIGHEST, ...Array.from({ length: 43 }, (_, index) => BigInt(index - 21))];
        const latest = all.map((of) =>
          Math.max(1, ...done.filter((each) => each.ranges.some((range) => isIn(of, range))).map(({ at }) => at)),
        );
        const recorded = done.map(({ at, ranges: some }) => repair(day(at), ...some.map(([a, b]) => `(${a},${b}]`)));
        expect(repairedSince(tokens.map(BigInt), recorded, day(1))).toEqual(day(Math.min(...latest)));
      }),
    );
  });
});

describe('the repairs of a keyspace', () => {
  const row = { keyspace_name: 'library', columnfamily_names: ['a', 'b'], ...repair(day(5), '(1,2]') };
  test.each<[string, object[], number]>([
    ['are those of most of its tables', [row, { ...row, columnfamily_names: ['a'] }], 1],
    ['are not those of another', [row, { ...row, keyspace_name: 'other' }], 1],
    // Cassandra records only the end of a repair that it refuses, and deletes the beginning of
    // others first.
    ['are not those without a beginning', [{ ...row, keyspace_name: null, columnfamily_names: null }], 0],
  ])('%s', (_what, rows, count) => {
    expect(repairsOf(rows, 'library', 3)).toHaveLength(count);
  });
});

test('no repair is needed if each row is on one node', async () => {
  const { app } = await startServer(await sharedKeyspace());
  await measureRepairs(app);
  expect(await register.getSingleMetricAsString('repair_age_seconds')).toMatch(/^repair_age_seconds 0$/m);
});
