import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIsbn } from '../src/catalogue/isbn.ts';

describe('ISBNs', () => {
  test.each([
    ['0439023483', '9780439023481'],
    ['0-439-02348-3', '9780439023481'],
    ['978-0-439-02348-1', '9780439023481'],
    [' 978 0439023481 ', '9780439023481'],
    ['043965548x', '9780439655484'],
    ['043965548X', '9780439655484'],
    ['979-10-90636-07-1', '9791090636071'],
  ])('%s is %s', (text, isbn13) => {
    expect(parseIsbn(text)).toEqual({ isbn13 });
  });

  test.each(['0439023484', '9780439023482', '0439655481'])('%s has a wrong check digit, and is told so', (text) => {
    expect(parseIsbn(text).problem).toContain('check digit is wrong');
  });

  test.each(['', 'abc', '12345', '97804390234811', '977-0-439-02348-1', 'X439023483'])(
    '%j is no ISBN at all',
    (text) => {
      expect(parseIsbn(text).problem).toContain('an ISBN has 10 digits, or 13');
    },
  );

  test('every mistyped digit of an ISBN is noticed', () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(
        fc.array(digit, { minLength: 9, maxLength: 9 }),
        fc.nat(8),
        fc.integer({ min: 1, max: 9 }),
        (digits, place, shift) => {
          const withCheck = (body: string) => {
            const found = [...Array.from({ length: 10 }, (_, check) => String(check)), 'X'].find(
              (check) => parseIsbn(body + check).isbn13 !== undefined,
            );
            return body + (found ?? '');
          };
          const isbn = withCheck(digits.join(''));
          const isbn13 = parseIsbn(isbn).isbn13 ?? '';
          expect(isbn13).toMatch(/^978\d{10}$/);
          expect(parseIsbn(isbn13)).toEqual({ isbn13 });
          const mistype = (text: string, at: number) =>
            text.slice(0, at) + String((Number(text[at]) + shift) % 10) + text.slice(at + 1);
          expect(parseIsbn(mistype(isbn, place)).problem).toBeDefined();
          expect(parseIsbn(mistype(isbn13, place + 3)).problem).toBeDefined();
        },
      ),
    );
  });
});
