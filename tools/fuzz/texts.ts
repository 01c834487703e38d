import type { Chance } from '../support/chance.ts';

/** Long texts that are slow to read, fold or tidy unless that takes linear time. */

/** Groups of characters, by the operation that they make slow. */
const ALPHABETS = {
  joiners: ['\u200D', '\u200C', '\u0301', '\u0300', '\u0316', '\u094D'],
  'joiners and turns': ['\u0301\u200D', '\u202A', '\u0327\u200D', '\u2066', '\u202C'],
  'marks out of order': ['\u0301', '\u0327', '\u0316', '\u05B0', '\u3099', '\u0345', '\u0334'],
  'half-width marks': ['\uFF76\uFF9E', '\uFF9F', '\u3099'],
  digits: ['٣', '९', '๓', '３', '𝟛', '᠓', '၃', '𞥓'],
  'compatible forms': ['\uFDFA', 'ﬃ', '㍿', '⑿', '\u1E9B\u0323', '㎯'],
  jamo: ['\u1112', '\u1161', '\u11AB', '\u115F'],
  selectors: ['\u1820\u180B', '\uFE0F', '❤\uFE0F', '\u{E0101}', '葛\u{E0100}', '#\uFE0F\u20E3'],
  'joined pictographs': ['👩', '\u200D', '❤\uFE0F', '🏽', '\u{1F3F4}\u{E0067}\u{E0062}', '\u{E007F}'],
  invisible: ['\u2800', '\u00AD', '\u3164', '\uFEFF', '\u{E0041}', '\u2060'],
  entities: ['&#8217;', '&amp;', '&amp;amp;', '&#', '&eacute', '&lt;p&gt;', '&#x1F600;'],
  tags: ['<', '</p>', '<br/', '<p ', '<!--', '<spoiler', '<del>', '<a href="'],
  breaks: ['\r\n', '\u2028', '\u0085', ' \n', '\v', 'a\n'],
  apostrophes: ["L'", 'O’', '`', '\u1FCD', '\u02BC', "a'"],
  'letters and blanks': ['a', ' ', ', ', ' Jr.', '. ', '-', ';'],
  halves: ['\uD83D', '\uDE00', '\uD800a'],
} as const;

export const TEXTS: readonly string[] = Object.keys(ALPHABETS);

/** The longest text that fits into a request with its other content. */
const UNITS_MAX = 60_000;
const LENGTHS = [100, 400, 1_000, 4_000, 10_000, 40_000, UNITS_MAX];

/** Marks of scripts that need joiners, and marks that Unicode orders behind them. */
const JOINED = ['\u0653', '\u0650', '\u094D', '\u0F72'];
const LAST = ['\u0345', '\u0360', '\u035C', '\u0315'];
const LINKS_MAX = 60;

/**
 * Makes a chain of joiners, of which only the first is unneeded. Once it is removed, the marks
 * around it change their order, and the next joiner becomes unneeded.
 */
const chainOf = (chance: Chance): string => {
  const joined = chance.pick(JOINED);
  return `ب${joined}${chance.pick(LAST)}${`\u200D${joined}`.repeat(1 + chance.below(LINKS_MAX))}`;
};

/**
 * Makes a text of a few repeated characters: in sequence, at random, or in long runs, perhaps after
 * a letter.
 */
export function longText(chance: Chance, length = chance.pick(LENGTHS), kind = chance.pick(TEXTS)): string {
  const alphabet: readonly string[] = ALPHABETS[kind as keyof typeof ALPHABETS];
  const chosen = Array.from({ length: 1 + chance.below(4) }, () => chance.pick(alphabet));
  const first = chance.chance(0.3) ? chainOf(chance) : chance.pick(['', 'a', 'क', '☺']);
  const filled = (unit: string, units: number) => unit.repeat(Math.ceil(units / unit.length)).slice(0, units);
  const room = Math.max(0, length - first.length);
  switch (chance.below(3)) {
    case 0:
      return first + filled(chosen.join(''), room);
    case 1:
      return first + chosen.map((unit) => filled(unit, Math.floor(room / chosen.length))).join('');
    default: {
      const mixed = Array.from({ length: 256 }, () => chance.pick(alphabet)).join('');
      return first + filled(mixed, room);
    }
  }
}
