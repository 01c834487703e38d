import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIsbn } from '../src/catalogue/isbn.ts';

const SAME = { isbn13: '9780439023481' };

describe('an ISBN', () => {
  test.each([
    ['0439023483', '9780439023481'],
    ['0-439-02348-3', '9780439023481'],
    ['978-0-439-02348-1', '9780439023481'],
    [' 978 0439023481 ', '9780439023481'],
    ['043965548x', '9780439655484'],
    ['043965548X', '9780439655484'],
    ['979-10-90636-07-1', '9791090636071'],
    ['979-8-88890-450-3', '9798888904503'],
  ])('%s is %s', (text, isbn13) => {
    expect(parseIsbn(text)).toEqual({ isbn13 });
  });

  // biblioteq #177, bookwyrm #2269: text as copied from other sources.
  test.each([
    '978−0−439−02348−1',
    '978\u20110\u2011439\u201102348\u20111',
    '978–0—439‒02348―1',
    '978\u00AD0439\u00AD023481',
    '978\u00A00\u2009439\u300002348\u202F1',
    '978\t0439\n023481',
    '9-780439-023481',
    '\uFEFF9780439023481\u200B',
    '978\u20600439023481\u200E',
    '９７８－０－４３９－０２３４８－１',
    '９７８ー０４３９０２３４８１',
    '٩٧٨٠٤٣٩٠٢٣٤٨١',
    '۹۷۸-۰۴۳۹۰۲۳۴۸۱',
    '९७८०४३९०२३४८१',
    'ISBN 9780439023481',
    'ISBN: 978-0-439-02348-1',
    'isbn：9780439023481',
    'ISBN\u00A0: 978-0-439-02348-1',
    'ISBN-13 9780439023481',
    'ISBN-13: 978-0439023481',
    'ISBN-10 0439023483',
    'ISBN 13: 9780439023481',
    'ISBN13:9780439023481',
    'ISBN (13): 9780439023481',
    'ISBN (pbk.): 978-0-439-02348-1',
    'ISBN-13 (pbk.): 978-0-439-02348-1',
    'ISBN No. 9780439023481',
    'eISBN 9780439023481',
    'I.S.B.N. 0-439-02348-3',
    'urn:isbn:9780439023481',
    'URN:ISBN:0-439-02348-3',
    '0439023483 (pbk.)',
    '9780439023481 (hardcover : alk. paper)',
    '9780439023481 (v. 1) (pbk.) :',
    '9780439023481 :',
    '0439023483 (pbk. : v. 1) : $12.95',
    '9780439023481 : £6.99',
    'ISBN139780439023481',
    'ISBN-10-0439023483',
    'ISBN–13: 978−0439023481',
    '978-0-439-02348-1.',
    '="9780439023481"',
    "'9780439023481",
    '“978-0-439-02348-1”',
    '[ISBN 978-0-439-02348-1]',
    '<urn:isbn:9780439023481>',
    '9 780439 023481 >',
  ])('is read as %j', (text) => {
    expect(parseIsbn(text)).toEqual(SAME);
  });

  test.each(['043965548Х', '043965548х', '043965548Ⅹ', '0-439-65548-Χ'])('ends in another alphabet’s X: %j', (text) => {
    expect(parseIsbn(text)).toEqual({ isbn13: '9780439655484' });
  });
});

describe('not an ISBN', () => {
  const problemOf = (text: string) => parseIsbn(text).problem ?? `it was read as ${String(parseIsbn(text).isbn13)}`;

  test.each(['0439023484', '9780439023482', '0439655481', '0439655483 (pbk.)', 'ISBN 979-10-90636-07-2'])(
    '%s has a wrong check digit',
    (text) => {
      expect(problemOf(text)).toContain('check digit is wrong');
    },
  );

  test.each(['27', '12345', '97804390234811', '43902348', 'ISBN 978043902348', 'ISBN-13 978043902348', '0317-8471'])(
    '%s has another number of digits',
    (text) => {
      expect(problemOf(text)).toMatch(/an ISBN has 10 digits, or 13, and this has \d+$/);
    },
  );

  test.each(['439023483', '306406152', '425-01234-5'])('%s has nine digits', (text) => {
    expect(problemOf(text)).toContain('write an SBN, of 9 digits, with a 0 in front');
  });

  test.each(['977-0-439-02348-1', '4006381333931', '5901234123457', '0012345678905'])(
    '%s has the prefix of something else',
    (text) => {
      expect(problemOf(text)).toContain('beginning with 978 or 979');
    },
  );

  // isbn3 #15: a valid EAN-13 of printed music.
  test.each(['9790041811529', '979-0-2306-7118-7', 'ISMN 979-0-2306-7118-7', 'M-2306-7118-7', '9790000000000'])(
    '%s is an ISMN',
    (text) => {
      expect(problemOf(text)).toMatch(/^is an ISMN/);
    },
  );

  test.each([
    '',
    'abc',
    'ISBN',
    'X439023483',
    '978043902348X',
    '04390X3483',
    '9.78043902348e+12',
    '9780439023481.0',
    '0.439023483',
    '-0439023483',
    '+1 439 023 483',
    '+49 30 901820',
    '(043) 902-3483',
    '0439023483/9780439023481',
    '0439023483, 9780439023481',
    '9780439023481 (0439023483)',
    '9780439023481 (pbk.) : 0439023483',
    '9780439023481 The Hunger Games',
    'https://example.com/9780439023481',
    `${' '.repeat(300)}9780439023481`,
  ])('%j has other characters', (text) => {
    expect(problemOf(text)).toContain('besides hyphens and spaces no other characters');
  });
});

// This check is independent of the product's: it uses weights 1…10 for ISBN-10, and the difference
// to the next ten for ISBN-13.
const isbn10Of = (digits: readonly number[]) => {
  const sum = digits.reduce((total, digit, index) => total + digit * (index + 1), 0) % 11;
  return digits.join('') + (sum === 10 ? 'X' : String(sum));
};
const ean13Of = (digits: readonly number[]) => {
  const sum = digits.reduce((total, digit, index) => total + digit + (index % 2) * 2 * digit, 0);
  return digits.join('') + String(Math.ceil(sum / 10) * 10 - sum);
};
const digits = (length: number) => fc.array(fc.nat(9), { minLength: length, maxLength: length });
const isbn10 = digits(9).map((nine) => ({ isbn: isbn10Of(nine), isbn13: ean13Of([9, 7, 8, ...nine]) }));
const isbn13 = fc
  .tuple(fc.constantFrom(8, 9), digits(9))
  .filter(([third, nine]) => third === 8 || nine[0] !== 0)
  .map(([third, nine]) => ean13Of([9, 7, third, ...nine]))
  .map((isbn) => ({ isbn, isbn13: isbn }));
const anyIsbn = fc.oneof(isbn10, isbn13);

test('the reported number of digits excludes those of the label', () => {
  expect(parseIsbn('ISBN-13 978043902348').problem).toMatch(/this has 12$/);
});

describe('of generated ISBNs', () => {
  const signs = [
    ...Array.from('-‐‑‒–—―−－﹣ー'),
    '\u00AD',
    '\u200B',
    ' ',
    '\u00A0',
    '\u2007',
    '\u3000',
    '\t',
    '',
    '',
    '',
    ' - ',
  ];
  const zeros = ['0', '０', '٠', '۰', '०', '০', '๐', '\u{1D7CE}'];
  const labels = [
    '',
    'ISBN ',
    'ISBN: ',
    'isbn=',
    'ISBN-13: ',
    'ISBN-10 ',
    'ISBN13 ',
    'ISBN (pbk.): ',
    'urn:isbn:',
    'ＩＳＢＮ　',
  ];
  const tails = ['', ' (pbk.)', ' (hardcover : alk. paper)', '(set)', ' (v. 2) (cloth)', ' :', '.', ' [ebook]'];
  const wraps = ['_', ' _ ', '="_"', '“_”', "'_", '\uFEFF_', '(_)'].map((wrap) => wrap.split('_'));
  const form = fc.record({
    separators: fc.array(fc.constantFrom(...signs), { minLength: 12, maxLength: 12 }),
    zero: fc.constantFrom(...zeros).map((zero) => zero.codePointAt(0) ?? 0),
    x: fc.constantFrom('X', 'x', 'Ｘ', 'х', 'Х'),
    label: fc.constantFrom(...labels),
    tail: fc.constantFrom(...tails),
    wrap: fc.constantFrom(...wraps),
  });

  test('every form of each is the same ISBN', () => {
    fc.assert(
      fc.property(anyIsbn, form, (valid, { separators, zero, x, label, tail, wrap: [before = '', after = ''] }) => {
        const written = Array.from(valid.isbn, (digit, index) => {
          const letter = digit === 'X' ? x : String.fromCodePoint(zero + Number(digit));
          return (index === 0 ? '' : (separators[index - 1] ?? '')) + letter;
        });
        // A bracket within a bracket is not a form.
        const end = before === '(' && /[([]/.test(label + tail) ? ['', ''] : [before, after];
        const text = `${end[0] ?? ''}${label}${written.join('')}${tail}${end[1] ?? ''}`;
        expect(parseIsbn(text), JSON.stringify(text)).toEqual({ isbn13: valid.isbn13 });
      }),
      { numRuns: 5_000 },
    );
  });

  test('each changed digit, and each exchanged pair of neighbours, is noticed', () => {
    fc.assert(
      fc.property(anyIsbn, ({ isbn }) => {
        for (let place = 0; place < isbn.length; place++) {
          for (const digit of '0123456789X') {
            const changed = isbn.slice(0, place) + digit + isbn.slice(place + 1);
            if (digit !== isbn[place]) expect(parseIsbn(changed).isbn13, changed).toBeUndefined();
          }
          const [first = '', second = ''] = isbn.slice(place);
          const exchanged = isbn.slice(0, place) + second + first + isbn.slice(place + 2);
          // ISBN-13 does not detect exchanged neighbours that differ by five.
          const isNoticed = isbn.length === 10 || (Number(first) - Number(second)) % 5 !== 0;
          if (second !== '' && first !== second && isNoticed)
            expect(parseIsbn(exchanged).isbn13, exchanged).toBeUndefined();
        }
      }),
    );
  });

  test('no EAN of anything else, no other length and no phone number is one', () => {
    const otherEan = digits(12)
      .map(ean13Of)
      .filter((ean) => !/^97(?:8|9[1-9])/.test(ean));
    const ismn = digits(8).map((eight) => ean13Of([9, 7, 9, 0, ...eight]));
    const otherLength = fc
      .integer({ min: 0, max: 30 })
      .filter((length) => length !== 10 && length !== 13)
      .chain(digits)
      .map((all) => all.join(''));
    const phone = fc
      .tuple(fc.constantFrom('+1 ', '+49', '+', '('), digits(3), digits(7))
      .map(([sign, area, number]) => `${sign}${area.join('')}${sign === '(' ? ') ' : ' '}${number.join('')}`);
    fc.assert(
      fc.property(fc.oneof(otherEan, ismn, otherLength, phone), (text) => {
        const { problem = '' } = parseIsbn(text);
        expect(problem, text).toMatch(/^is (?:not an ISBN|an ISMN)/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('any text is read quickly, and an answer never repeats it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...Array.from('ISBN-13:()[]. 978X"=')) }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const { isbn13: read, problem = '' } = parseIsbn(given);
        if (read !== undefined) expect(parseIsbn(read)).toEqual({ isbn13: read });
        else expect(problem).toMatch(/^is (?:not an ISBN: an ISBN has 10 digits, or 13|not an ISBN: it|an ISMN)/);
      }),
      { numRuns: 5_000 },
    );
  });
});
