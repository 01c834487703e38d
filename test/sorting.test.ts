import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortKey } from '../src/text/sorting.ts';

const byKey = (titles: readonly string[]) =>
  titles.toSorted((one, other) => Buffer.compare(Buffer.from(sortKey(one)), Buffer.from(sortKey(other))));

test('punctuation is ignored, and numbers sort by their value', () => {
  const titles = [
    '2 Fast',
    '10 Little Words',
    '(500) Days of Summer',
    '…501',
    '1,000 Places',
    '1984',
    '…And Justice',
    '“Andy”',
    'Éclair',
    'Łódź',
    'Part 2',
    'Part 10',
    '“Quoted”',
    "'Salem's Lot",
    'Salems Lot Two',
    '¡Yo!',
    'Zebra',
  ];
  expect(byKey(titles.toReversed())).toEqual(titles);
});

test('numbers of any length and with leading zeros are in order, at any place in the text', () => {
  const aNumber = fc.bigInt({ min: 0n, max: 10n ** 40n });
  fc.assert(
    fc.property(aNumber, aNumber, fc.constantFrom('', 'Part ', '#', '('), fc.nat(3), (one, other, before, zeros) => {
      const [first, second] = [one, other].map((value) => sortKey(`${before}${'0'.repeat(zeros)}${value} x`));
      expect(Math.sign(Buffer.compare(Buffer.from(first!), Buffer.from(second!)))).toBe(
        one < other ? -1 : Number(one > other),
      );
    }),
  );
});

test('a key has the version that made it, and a title of signs alone has a key', () => {
  expect(sortKey('Über')).toBe('1 uber');
  expect(sortKey('2 x')).toBe('1 0012 x');
  expect(sortKey('!!!')).toBe('1 !!!');
});
