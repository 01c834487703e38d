import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isVisible, normalized, readShownText, tidied } from '../src/text/text.ts';
import { runs } from './support/full.ts';

const MAX = 500;
const nameOf = (text: string) => readShownText(text, MAX, 'REFUSED');

// Conversations #1996, otium #13: selectors and joiners that change the text.
const needed: [what: string, text: string][] = [
  ['a smile in black and white', '☺\uFE0E'],
  ['a red heart', 'Ann ❤\uFE0F'],
  ['a key', '1\uFE0F\u20E3'],
  ['a family', '👨\u200D👩\u200D👧 Lee'],
  ['a skin colour and a job', '👩🏽\u200D🚀'],
  ['a rainbow flag', '🏳\uFE0F\u200D🌈'],
  ['the flag of Scotland', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['two letters that are a flag', '🇩🇪'],
  ['an emoji that Unicode may have in a later version', '\u{1FAFF}'],
  ['a Persian word', 'می\u200Cخواهم'],
  ['an abbreviation with a heh', 'ه\u200D.ش'],
  ['Devanagari', 'क\u094D\u200Dष'],
  ['Sinhala', 'ශ\u0DCA\u200Dරී'],
  ['Bengali', 'র\u200D\u09CDয'],
  ['Malayalam, in its older spelling', 'അവന\u0D4D\u200D'],
  ['Malayalam with a joiner at its end', 'പ്രവീണ\u0D4D\u200D'],
  ['Mongolian', '\u1820\u180B\u1828\u180E\u1820'],
  ['a variant of an ideograph', '葛\u{E0101}城'],
  ['an ideograph beyond the first plane', '𠮷野'],
  ['Vietnamese', 'Nguyễn Thị'],
  ['Hebrew with accents', '\u05E9\u05B8\u05BC\u05C1\u0594'],
  ['Tibetan', 'ཧཱུྃ'],
  ['signs of the Koran', '\u06DD١'],
  ['hieroglyphs, one above the other', '\u{13000}\u{13430}\u{13001}'],
  ['a right-to-left name', 'ליאורה'],
  ['punctuation alone', '…!'],
];

describe('a text that others see', () => {
  // social-app #5703: spaces that push the following text out of sight, separated by characters
  // that a pattern of spaces does not match.
  test.each([
    ['Ann    Lee', 'Ann Lee'],
    ['  Ann\tLee ', 'Ann Lee'],
    ['Ann\u00A0\u3000\u2003Lee', 'Ann Lee'],
    ['Ann \u200B \u2060 \u00AD Lee', 'Ann Lee'],
    ['Ann\u2800\u2800Lee', 'Ann Lee'],
    ['\uFEFFAnn Lee\u200B', 'Ann Lee'],
    ['A\u00ADnn\u2060 L\u034Fee', 'Ann Lee'],
    ['An\u200Dn \u200CLee\u180E', 'Ann Lee'],
    ['Ann\uFE0F Lee\u{E0041}\u{E007F}', 'Ann Lee'],
    ['Ann\u3164 \u115FLee\uFFA0', 'Ann Lee'],
    ['A1\uFE0Fnn', 'A1nn'],
    ['Zoe\u034F\u0308', 'Zoë'],
    ['می\u200C\u200Cخواهم', 'می\u200Cخواهم'],
    ['\u{1F3F4}\u{E0068}\u{E0069}\u{E0064}\u{E0064}\u{E0065}\u{E006E}\u{E0021}', '\u{1F3F4}'],
  ])('%j is tidied to %j', (given, text) => {
    expect(nameOf(given)).toEqual({ text });
  });

  test.each(needed)('is unchanged with %s', (_what, text) => {
    const composed = text.normalize('NFC');
    expect(nameOf(text)).toEqual({ text: composed });
    expect(isVisible(composed)).toBe(true);
  });

  test.each([
    ['', 'nothing visible in it'],
    ['\u200B', 'nothing visible in it'],
    ['\u3164', 'nothing visible in it'],
    ['\u2800', 'nothing visible in it'],
    ['\u115F\u1160', 'nothing visible in it'],
    ['\uFE0F', 'nothing visible in it'],
    ['\u0301', 'nothing visible in it'],
    ['\u{1D159}', 'invisible or unassigned'],
    ['Ann\u{1D159}', 'invisible or unassigned'],
    ['Ann \uFFFC', 'invisible or unassigned'],
    ['\u{13441}', 'invisible or unassigned'],
    ['Ann\u{13430}', 'invisible or unassigned'],
    ['Ann\u0000', 'invisible or unassigned'],
    ['Ann\uE000', 'invisible or unassigned'],
    ['Ann\uD800', 'invisible or unassigned'],
    ['Ann\uFFFE', 'invisible or unassigned'],
    ['Ann\u0378', 'invisible or unassigned'],
    ['Ann\uFFF9', 'invisible or unassigned'],
    ['Ann\u2028Lee', 'line break'],
    ['Ann\u2029Lee', 'line break'],
    ['Ann\nLee', 'line break'],
    ['Ann\u0085Lee', 'line break'],
    ['Ann\u202EeeL', 'direction of writing'],
    ['Ann\u2066Lee\u2069', 'direction of writing'],
    ['\u202AAnn\u202C', 'direction of writing'],
    ['\u0301Ann', 'begins with a mark'],
    [`Z${'\u0334'.repeat(9)}algo`, 'more than 8 marks'],
    [`क${'\u0951\u200D'.repeat(9)}`, 'more than 8 marks'],
    [`क${'\u0903'.repeat(32)}`, 'more than 8 marks'],
    [`क${'\u0903'.repeat(100)}`, 'more than 8 marks'],
    [`カ${'\uFF9E'.repeat(100)}`, 'more than 8 marks'],
    ['x'.repeat(MAX + 1), 'has 501 of them'],
    ['𠮷'.repeat(MAX + 1), 'has 501 of them'],
  ])('is refused as %j: %s', (text, problem) => {
    expect(nameOf(text).problem).toContain(problem);
  });

  test('has its line breaks replaced by spaces if it is a title', () => {
    for (const between of ['\n', '\r\n', '\u2028', '\u0085 '])
      expect(readShownText(`Two${between}lines`, MAX)).toEqual({ text: 'Two lines' });
  });
});

/**
 * Characters to combine with each other: joiners, selectors, tags, marks, blanks, of many scripts.
 */
const odd = fc.constantFrom(
  ...Array.from(' \u00A0\u2800\u3000\n\u2028\u200B\u200C\u200D\uFEFF\u00AD\u034F\u2060\u180B\u180E\uFE00\uFE0E\uFE0F'),
  ...Array.from(
    '\u{E0101}\u{E0067}\u{E007F}\u{E0001}\u115F\u1160\u3164\u202E\u2069\u200E\u061C\uFFFC\u{1D159}\u{13430}\u{13441}',
  ),
  ...Array.from(
    '\u0301\u0308\u0334\u0345\u20E3\u093C\u094D\u0951\u0952\u064B\u0653\u05B8\u1DFA\u09C7\u09BE\u1100\u1161\u11A8\u0DCA\u0D4D',
  ),
  ...Array.from('aeZß1#*☺❤👩🚀🏽\u{1F3F4}🇩©한가葛𠮷کمیهनकরരశᠠᠨ\u{13000}ཧ'),
);
const anyText = fc
  .array(fc.oneof({ weight: 3, arbitrary: odd }, fc.string({ unit: 'binary', minLength: 1, maxLength: 2 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));
/** Marks whose order changes, separated by joiners that are needed only next to these marks. */
const chain = fc
  .array(
    fc.tuple(
      fc.constantFrom(...Array.from('\u0345\u0334\u0951\u0952\u064B\u1DFAक')),
      fc.constantFrom('\u200D', '\u200C', '\u200D\u202A', '\uFE00'),
    ),
    {
      maxLength: 80,
    },
  )
  .map((links) => links.flat().join(''));
const OFTEN = { numRuns: runs(20_000) };

test('marks that change their order once invisible characters between them are removed have a single spelling', () => {
  const once = tidied('a\u0308\u1160\u0DCA\u200D');
  expect(tidied(once)).toBe(once);
});

// Normalization would take a second for 10,000 marks, and four times as long for twice as many.
test.each([
  ['alone', ''],
  ['with invisible characters between them', '\u200B'],
])('of very many marks %s, the rest goes before they are sorted', (_what, between) => {
  const marks = (text: string) => text.match(/\p{M}/gu)?.length;
  const heaped = ['a', ...Array.from({ length: 500 }, () => '\u0315\u0316')].join(between);
  const [pasted, spelled] = [tidied(heaped), normalized('a' + '\u0315'.repeat(500) + '\u0316'.repeat(500))];
  expect([marks(pasted), marks(spelled)]).toEqual([64, 64]);
  expect(tidied(pasted)).toBe(pasted);
  // Normalization turns each of these into two characters.
  const twice = tidied(`a${'\u0344'.repeat(500)}`);
  expect(tidied(twice)).toBe(twice);
});

// Each joiner is needed until the previous one is removed.
test('a chain of marks and joiners of any length is normalized the same number of times', () => {
  const normalizations = (links: number): number => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const once = tidied(
      'क' + '\u0951\u0345\u200D'.repeat(links) + `क\u0345\u200D${'\u0951\u200D'.repeat(20)}`.repeat(links),
    );
    const count = normalize.mock.calls.length;
    normalize.mockRestore();
    expect(tidied(once)).toBe(once);
    return count;
  };
  expect(normalizations(1_000)).toBe(normalizations(2));
  expect(normalizations(1_000)).toBeLessThan(10);
});

describe('a generated text', () => {
  test('has one spelling', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: anyText }, chain), (text) => {
        const once = tidied(text);
        expect(tidied(once)).toBe(once);
        expect(once.normalize('NFC')).toBe(once);
        expect(once).not.toMatch(/^\s|\s$|\s\s|[^\S ]|\u2800/);
      }),
      OFTEN,
    );
  });

  test('keeps needed characters, and loses those that no text needs', () => {
    const useless = fc.constantFrom(...Array.from('\u200B\u2060\uFEFF\u00AD\u034F\u200E\u061C\u3164\u{E0001}'));
    const texts = fc.array(fc.constantFrom(...needed.map(([, text]) => text)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.array(fc.tuple(fc.nat(40), useless)), (all, places) => {
        const wanted = all.join(' ');
        const characters = Array.from(wanted);
        for (const [place, character] of places) characters.splice(place, 0, character);
        expect(tidied(characters.join(''))).toBe(wanted.normalize('NFC'));
      }),
    );
  });

  test('shows something, hides nothing, and is unchanged when saved again, if it is accepted', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('SPACES' as const, 'REFUSED' as const), (given, breaks) => {
        const { text } = readShownText(given, MAX, breaks);
        if (text === undefined) return;
        expect(readShownText(text, MAX, breaks)).toEqual({ text });
        expect(isVisible(text)).toBe(true);
        // This check differs from the product's: it examines the text without all characters that
        // may be invisible.
        const rest = text.replace(
          /[\p{Z}\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115F\u1160\u3164\uFFA0\u2800\uFFFC\u{1D159}]/gu,
          '',
        );
        expect(rest).not.toBe('');
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFC]/u);
        expect(text).not.toMatch(/^\p{M}|[\u200B\u00AD\u2060\uFEFF\u034F\u3164]/u);
      }),
      OFTEN,
    );
  });

  test('has the same words with any pasted invisible characters', () => {
    const word = fc.string({ unit: fc.constantFrom(...Array.from('abzéßñłкиλ漢かカ한ไท1-’')), minLength: 1 });
    const hidden = fc.constantFrom(
      ...Array.from('\u200B\u200C\u200D\u2060\uFEFF\u00AD\u034F\u200E\u061C\u180E\uFE0F\u3164\u{E0061}'),
    );
    fc.assert(
      fc.property(word, fc.array(fc.tuple(fc.nat(10), hidden)), (text, places) => {
        const letters = Array.from(text);
        for (const [place, character] of places) letters.splice(place, 0, character);
        expect(nameOf(letters.join(''))).toEqual(nameOf(text));
      }),
      OFTEN,
    );
  });

  test('may have the maximum number of characters of any plane', () => {
    const letter = fc.constantFrom(...Array.from('xé漢𠮷😀𐍈👩'));
    fc.assert(
      fc.property(letter, fc.integer({ min: 1, max: 60 }), (character, length) => {
        expect(readShownText(character.repeat(length), 30).problem === undefined).toBe(length <= 30);
      }),
    );
  });
});
