import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPartialDate, isYear } from '../src/catalogue/inputs.ts';

test('a book can have every year of the calendar except 0, which does not exist', () => {
  for (let year = -5_000; year <= 2_200; year++) expect(isYear(year), String(year)).toBe(year !== 0);
  for (const year of [-5_001, 2_201, -(2 ** 31), 2 ** 31 - 1]) expect(isYear(year)).toBe(false);
});

test('a date is a year, a month or a day of the calendar since the year 1', () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: 2_300 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  );
  const padded = (number: number, length: number) => String(number).padStart(length, '0');
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const [y, m, d] = [padded(year, 4), padded(month, 2), padded(day, 2)];
      const isInRange = year >= 1 && year <= 2_200;
      expect(isPartialDate(y)).toBe(isInRange);
      expect(isPartialDate(`${y}-${m}`)).toBe(isInRange && month >= 1 && month <= 12);
      // This check differs from the product's: it detects an invalid day because the calendar
      // changes it to another day.
      const moment = new Date(`${y}-01-01T00:00:00Z`);
      moment.setUTCMonth(month - 1, day);
      const isDay =
        moment.getUTCFullYear() === year && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
      expect(isPartialDate(`${y}-${m}-${d}`)).toBe(isInRange && isDay);
    }),
    { numRuns: 5_000 },
  );
  for (const text of [
    '0000',
    '0000-01-01',
    '98',
    '1998-5',
    '1998-W05',
    '1998-05-23T00:00',
    '１９９８',
    '',
    '-0750',
    '+1998',
  ])
    expect(isPartialDate(text), text).toBe(false);
});
