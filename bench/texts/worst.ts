/** Texts that are most expensive for the functions of the product, relative to their length. */

/** A text of any length: a part that is repeated, between a beginning and an end. */
export interface Worst {
  readonly name: string;
  readonly run: string;
  readonly begin?: string;
  readonly end?: string;
}

/** The longest text that reaches a function: in UTF-16 units, code points, or bytes of JSON. */
export interface Limit {
  readonly length: number;
  readonly measure: 'units' | 'points' | 'bytes';
}

const RUNS: Readonly<Record<string, string>> = {
  letters: 'a',
  'capitals with accents': 'É',
  digits: '1',
  'foreign digits': '٣',
  'astral digits': '\u{1D7D9}',
  'numbers with zeros': '0,000 ',
  spaces: ' ',
  'wide spaces': '\u3000',
  'blank patterns': '\u2800',
  'single letters': 'a ',
  'many words': 'ab ',
  'long words': 'abcdefghijk ',
  quotes: '"',
  apostrophes: "a'",
  'lone apostrophes': '`',
  'two quotes': '"\'',
  dots: '.',
  'dots and letters': 'a.',
  dashes: '-',
  'spaced dashes': ' - ',
  commas: ',',
  'spaced commas': ', ',
  semicolons: ';',
  bars: '|',
  'at signs': '@',
  colons: ':',
  ampersands: '&',
  'words of and': ' and ',
  'names of characters': '&amp;',
  'numbers of characters': '&#8217;',
  'open numbers of characters': '&#1',
  'less than': '<',
  tags: '<b>',
  'breaking tags': '<br>',
  'paragraph tags': '<p> ',
  'open tags': '<i a=b ',
  comments: '<!--',
  scripts: '<script>',
  attributes: ' a="b"',
  parentheses: '(',
  remarks: ' (1)',
  'nested brackets': '([{',
  'line feeds': '\n',
  'lines of Windows': '\r\n',
  'line separators': 'a\u2028',
  controls: '\u0000',
  'combining marks': '\u0301',
  'marks out of order': '\u0301\u0323',
  'marks of Greek': '\u0345\u0313\u0301',
  'letters with 8 marks': `a${'\u0323\u0301'.repeat(4)}`,
  'letters with 64 marks': `a${'\u0301\u0323'.repeat(32)}`,
  'letters with many marks': `a${'\u0301\u0323'.repeat(150)}`,
  'half marks': 'ｶ\uFF9E',
  'letters of Latin with marks': 'ǖ',
  'letters of Greek with marks': 'ᾧ',
  'Cyrillic with stress': 'а\u0301',
  'stress of Cyrillic alone': 'а\u0301\u0311\u0484',
  'ligatures of 18 letters': '\uFDFA',
  'ligatures of 3 letters': '\uFB03',
  'sharp s': 'ß',
  'letters that are written for': 'æ',
  syllables: '각',
  'parts of syllables': '\u1100\u1161\u11A8',
  ideographs: '漢',
  'ideographs with selectors': '漢\u{E0100}',
  'mixed scripts': 'aяع漢ά',
  'unassigned letters': 'a\u{1E6E0}',
  'newer characters': '\u{10D4A}',
  'private use': '\uE000',
  'zero width joiners': '\u200D',
  'zero width non-joiners': '\u200C',
  'joined emoji': '👩\u200D',
  'emoji with selectors': '❤\uFE0F',
  'emoji with joiners and tags': '👩\u{E0061}\u200D',
  'joined letters of Arabic': 'ب\u200C',
  'half letters of India': 'क\u094D\u200D',
  'joiners behind 9 tags': `ب${'\u{E0061}'.repeat(9)}\u200C`,
  'selectors alone': '\uFE0F',
  'tags of flags': '\u{E0067}',
  'open flags': '\u{1F3F4}\u{E0067}\u{E0062}',
  'vowel separators': '\u180E',
  'Mongolian with separators': 'ᠠ\u180E\u200D',
  'soft hyphens': 'a\u00AD',
  'turns of direction': '\u202A',
  'halves of surrogates': '\uD83D',
  'hieroglyphs that join': '\u{13430}',
  'Arabic with vowels': 'أَ',
  'twice encoded': 'Ã©',
  'twice encoded quotes': 'â€œ',
  'nearly twice encoded': 'Ãа',
  objects: '[',
  equals: '=',
  slashes: '/',
  underscores: '_',
  plus: ' + ',
  stars: '★',
  and: '&and ',
};

/**
 * Each run of characters is used alone, and between letters, which makes an expression fail only at
 * the end.
 */
export const WORST: readonly Worst[] = Object.entries(RUNS).flatMap(([name, run]) => [
  { name, run },
  { name: `${name}, enclosed`, run, begin: 'x', end: 'x' },
]);

const lengthOf = (text: string, measure: Limit['measure']): number => {
  if (measure === 'units') return text.length;
  return measure === 'points' ? Array.from(text).length : Buffer.byteLength(JSON.stringify(text)) - 2;
};

/** Returns a text of the maximum length. */
export function textOf({ run, begin = '', end = '' }: Worst, { length, measure }: Limit): string {
  const left = length - lengthOf(begin + end, measure);
  return begin + run.repeat(Math.max(0, Math.floor(left / lengthOf(run, measure)))) + end;
}
