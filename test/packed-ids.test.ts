import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PackedIds } from '../src/member-sets/packed-ids.ts';
import { runs } from './support/full.ts';

/** Ids of few different words, so that many have the same hash or differ in one word only. */
const id = fc
  .tuple(...Array.from({ length: 4 }, () => fc.constantFrom('00000000', '00002000', '00200000', 'ffffffff')))
  .map((words) => words.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
const ids = fc.uniqueArray(id, { maxLength: 60 });

/** Finds common places by comparing each id with each. */
const plainPlaces = (here: readonly string[], there: readonly string[]) =>
  here.flatMap((id, place) => (there.includes(id) ? [[place, there.indexOf(id)]] : []));
const sorted = (places: readonly (readonly number[])[]) => places.toSorted(([one = 0], [other = 0]) => one - other);

describe('packed ids', () => {
  test('have the places of common ids', () => {
    fc.assert(
      fc.property(ids, ids, (here, there) => {
        const places = new PackedIds(here).placesIn(new PackedIds(there));
        expect(sorted(places)).toEqual(plainPlaces(here, there));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.each([1, 2_000, 5_000])('may be %i', (count) => {
    const common = Array.from({ length: count }, () => crypto.randomUUID());
    const here = common.flatMap((id) => [id, crypto.randomUUID()]);
    const places = new PackedIds(here).placesIn(new PackedIds(common));
    expect(sorted(places)).toEqual(common.map((_id, place) => [2 * place, place]));
  });

  test('take 26 bytes each at most', () => {
    for (const length of [1, 16, 63, 64, 1_000, 5_000])
      expect(new PackedIds(Array.from({ length }, () => crypto.randomUUID())).bytes).toBeLessThanOrEqual(
        26 * length + 8,
      );
  });
});
