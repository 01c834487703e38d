import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packed, SoughtIds, unpacked } from '../src/member-sets/packed-ids.ts';
import { runs } from './support/full.ts';

/** Ids of few different words, so that many have the same hash or differ in one word only. */
const id = fc
  .tuple(...Array.from({ length: 4 }, () => fc.constantFrom('00000000', '00002000', '00200000', 'ffffffff')))
  .map((words) => words.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
const ids = fc.uniqueArray(id, { maxLength: 60 });

describe('sought ids', () => {
  test('are found among packed ids, in the order of these', () => {
    fc.assert(
      fc.property(ids, ids, (sought, members) => {
        const expected = members.filter((member) => sought.includes(member));
        expect(new SoughtIds(packed(sought)).among(packed(members))).toEqual(expected);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('are the same after they were packed', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid()), (ids) => {
        expect(unpacked(packed(ids))).toEqual(ids);
      }),
      { numRuns: runs(300) },
    );
  });

  test('may be as many as a reader may follow', () => {
    const many = Array.from({ length: 2_000 }, () => crypto.randomUUID());
    const others = Array.from({ length: 2_000 }, () => crypto.randomUUID());
    const members = many.flatMap((each, index) => [others[index]!, each]);
    expect(new SoughtIds(packed(many)).among(packed(members))).toEqual(many);
  });
});
