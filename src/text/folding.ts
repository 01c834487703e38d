import { withFewMarks } from './marks.ts';
import { UNKNOWN } from './unicode.ts';

/**
 * The form in which texts are compared, looked up and sorted. Much of it is stored: keys of
 * authors, genres and places, words, and sort keys of titles. So it must not change with Node's
 * ICU: characters in {@link UNKNOWN} are left alone, the others are covered by Unicode's stability
 * policies, and a test has the hash of all of them.
 */

/**
 * Characters that people write for an apostrophe: quotes, lone accents, primes, modifier letters,
 * the saltillo.
 */
export const APOSTROPHES =
  "'`´‘’‚‛′‵ʹʻʼʽʾʿˈˊˋ" +
  '\u0374\u0384\u055A\u055B\u05F3\u07F4\u07F5\u1FBD\u1FBF\u1FEF\u1FFD\u1FFE\u2E32\uA78B\uA78C\uFF07\uFF40';
const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'gu');

const ASCII = /^[\x00-\x7F]*$/; // eslint-disable-line no-control-regex
const NEWER = new RegExp(`([${UNKNOWN}]+)`, 'u');

/** Decomposed letters of Latin and Greek with their marks, or accents; and the marks of Greek. */
const ACCENTED = /([[\p{Script=Latin}\p{Script=Greek}]--\p{M}])\p{M}+|[\p{Script=Greek}&&\p{M}]\p{M}*/gv;
/**
 * Stress, breathings and abbreviations of Cyrillic. Its breve and dots make other letters: й is not
 * и, nor ї an і.
 */
const CYRILLIC_ACCENTS = /(?<=\p{Script=Cyrillic}\p{M}*)[\u0300\u0301\u0311\u0483-\u0487]/gu;

/**
 * Letters without a decomposition, by how people write them on a keyboard that lacks them, after
 * CLDR's rules from Latin to ASCII. A search in Russian takes ё and е for one letter.
 */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  a: 'ⱥ',
  aa: 'ꜳ',
  ae: 'æ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀɓƃꞗ',
  c: 'ƈȼꞓ',
  d: 'đðɖɗƌȡꝺ',
  e: 'əɛɇǝ',
  f: 'ƒꝼ',
  g: 'ǥɠᵹꞡ',
  h: 'ħɦⱨ',
  hv: 'ƕ',
  i: 'ɨɪɩ',
  j: 'ɉȷɟʝ',
  k: 'ƙⱪꝁꝃꝅꞣ',
  l: 'łƚɫɬɭȴⱡꝉ',
  m: 'ɱ',
  n: 'ŋɲƞɳȵꞥ',
  o: 'øɔɵꝋꝍ',
  oe: 'œ',
  oi: 'ƣ',
  oo: 'ꝏ',
  ou: 'ȣ',
  p: 'ƥᵽꝑꝓꝕ',
  q: 'ĸɋʠꝗꝙ',
  r: 'ɍɽɾꝛꞃꞧ',
  s: 'ʂȿꞅꞩ',
  t: 'ŧƭʈⱦƫȶꞇ',
  th: 'þꝥꝧ',
  u: 'ʉʊ',
  v: 'ʋⱱꝟ',
  vy: 'ꝡ',
  w: 'ⱳ',
  y: 'ƴɏʏ',
  z: 'ƶȥɀʐⱬ',
  е: 'ёѐ',
  и: 'ѝ',
};
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN_FOR).flatMap(([written, letters]) => Array.from(letters, (letter) => [letter, written])),
);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

/**
 * A text without case, accents and invisible characters: Unicode's NFKC_Casefold, and the rules
 * above.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('`', "'");
  return withFewMarks(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
    .split(NEWER)
    .map((part, index) => (index % 2 === 0 ? foldedKnown(part) : part))
    .join('');
}

/**
 * The text is first put into one canonical spelling: ῍ is one character or two, and the first of
 * the two is an apostrophe.
 */
const foldedKnown = (text: string) =>
  withoutAccents(
    text.normalize('NFC').replace(APOSTROPHE, "'").normalize('NFKC').replace(APOSTROPHE, "'").toLowerCase(),
  )
    // Full case folding turns ß into ss, and all forms of sigma into one.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter)
    .replace(FOREIGN_DIGIT, (digit) => String(digitOf(digit)))
    .normalize('NFKC');

const withoutAccents = (text: string) =>
  text.normalize('NFD').replace(ACCENTED, '$1').normalize('NFC').replace(CYRILLIC_ACCENTS, '').normalize('NFC');

/** A digit of another script than ASCII. */
export const FOREIGN_DIGIT = /[\p{Nd}--[0-9]]/gv;
/** The values of the digits that were looked up; there are some 700 digits. */
const digits = new Map<string, number>();

/** The value of a digit of any script. */
export function digitOf(digit: string): number {
  const known = digits.get(digit);
  if (known !== undefined) return known;

  const value = placeInRun(digit) % 10;
  digits.set(digit, value);
  return value;
}

/** Unicode encodes the digits of each script in one run, from zero to nine. */
function placeInRun(digit: string): number {
  let place = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - place - 1))) place++;
  return place;
}

/** Marks belong to the word, because many vowels of India and South East Asia are marks. */
const WORD = new RegExp(`[\\p{L}\\p{N}${UNKNOWN}][\\p{L}\\p{N}\\p{M}${UNKNOWN}]*`, 'gu');

const wordsIn = (text: string): string[] => text.match(WORD) ?? [];

/**
 * The words of a text, in order, folded and without punctuation. An apostrophe does not split a
 * word.
 */
export const wordsOf = (text: string): string[] => wordsIn(folded(text).replaceAll("'", ''));

/** The ends of English contractions, which are no useful search words. */
const SHORT_FORMS = new Set(['ll', 're', 've']);

/**
 * The words after an apostrophe, which people also search for: `étranger` of L'Étranger, `brien` of
 * O'Brien.
 */
export const wordsBehindApostrophes = (text: string): string[] =>
  [...folded(text).matchAll(/(?<=[\p{L}\p{M}]')[\p{L}\p{M}]{2,}/gu)]
    .map(([word]) => word)
    .filter((word) => !SHORT_FORMS.has(word));
