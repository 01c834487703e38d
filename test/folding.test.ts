import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APOSTROPHES, folded, wordsBehindApostrophes, wordsOf } from '../src/text/folding.ts';
import { UNKNOWN } from '../src/text/unicode.ts';
import { runs } from './support/full.ts';

// Normalization would take seconds for 10,000 marks, and four times as long for twice as many.
test('with very many marks loses the excess marks before they are sorted, even if joiners are between them', () => {
  const marks = (mark: string) => `${mark.repeat(50)}\u200C`.repeat(20);
  expect(folded(`क${marks('\u0951')}${marks('\u0952')}`).match(/\p{M}/gu)).toHaveLength(64);
  // These are letters until they are folded.
  expect(folded(`カ${'\u0951\uFF9E'.repeat(500)}`).match(/\p{M}/gu)?.length).toBeLessThan(64);
});

describe('texts that are equal in a search', () => {
  test.each([
    ['Stanisław Lem', 'stanislaw lem'],
    ['STRASSE', 'Straße'],
    ['STRASSE', 'STRAẞE'],
    ['KIRMIZI', 'Kırmızı'],
    ['kirmizi', 'Kırmızı'],
    ['İstanbul', 'istanbul'],
    ['Jo Nesbø', 'jo nesbo'],
    ['Đorđe', 'dorde'],
    ['Ægypten', 'aegypten'],
    ['Œuvres', 'oeuvres'],
    ['Ðe Þórr', 'de thorr'],
    ['ŋaŧħ', 'nath'],
    ['ὈΔΥΣΣΕΎΣ', 'οδυσσευς'],
    ['ᾳ̂', 'α'],
    ['ё́лка', 'елка'],
    ['за́мок', 'замок'],
    ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
    ['ﬁancé', 'fiance'],
    ['e\u0301tranger', 'étranger'],
    ['ti\u00ADtle\u200B \u2060we\uFEFF', 'title we'],
    ['١٩٨٤', '1984'],
    ['x\u0304', 'x'],
    ['ｶﾞ', 'ガ'],
    ['한', '\u1112\u1161\u11AB'],
    ['a\u1FCD', 'a\u1FBF\u0300'],
  ])('%s and %s', (one, other) => {
    expect(folded(one)).toBe(folded(other));
    expect(wordsOf(one)).toEqual(wordsOf(other));
    expect(wordsOf(one)).not.toEqual([]);
  });
});

describe('texts that differ in a search', () => {
  test.each([
    ['दिन', 'दान'],
    ['दिन', 'दन'],
    ['か', 'が'],
    ['ハ', 'パ'],
    ['กิน', 'กาน'],
    ['กิน', 'กน'],
    ['மலை', 'மலர்'],
    ['й', 'и'],
    ['ї', 'і'],
    ['ў', 'у'],
    ['বই', 'বি'],
    ['שׁ', 'שׂ'],
  ])('%s and %s', (one, other) => {
    expect(folded(one)).not.toBe(folded(other));
    expect(wordsOf(one)).not.toEqual(wordsOf(other));
  });
});

test('vowel marks do not split a word', () => {
  for (const word of ['हिन्दी', 'ภาษาไทย', 'தமிழ்', 'മലയാളം', 'සිංහල', 'မြန်မာ', 'ភាសាខ្មែរ'])
    expect(wordsOf(word), word).toHaveLength(1);
});

test('no sign used as an apostrophe splits a word, and the part after it is also a word', () => {
  for (const sign of APOSTROPHES) {
    const code = sign.codePointAt(0)!.toString(16);
    expect(wordsOf(`Tess of the d${sign}Urbervilles`), code).toEqual(['tess', 'of', 'the', 'durbervilles']);
    expect(wordsBehindApostrophes(`Tess of the d${sign}Urbervilles`), code).toEqual(['urbervilles']);
    expect(wordsBehindApostrophes(`L${sign}Étranger`), code).toEqual(['etranger']);
    expect(wordsOf(`don${sign}t`), code).toEqual(['dont']);
    expect(wordsBehindApostrophes(`don${sign}t they${sign}ll`), code).toEqual([]);
  }
});

/** Characters that are newer than the pinned Unicode are unchanged, in any spelling. */
const ofNewerUnicode = new RegExp(`[${UNKNOWN}]`, 'gu');

const aText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...Array.from('İıßẞſςΣᾳΐŉǰﬀёйꙗが゙ｶﾞ\u0301\u0306\u0345\u00AD\u200Dłæ´＇½ǅʼⅣ')), {
      maxLength: 8,
    })
    .map((all) => all.join('')),
);

test('folding twice changes nothing, and case and Unicode spelling make no difference', () => {
  fc.assert(
    fc.property(aText, (given) => {
      const text = given.replace(ofNewerUnicode, '');
      const once = folded(text);
      expect(folded(once)).toBe(once);
      expect(folded(text.normalize('NFC'))).toBe(once);
      expect(folded(text.normalize('NFD'))).toBe(once);
    }),
    { numRuns: runs(5_000) },
  );
});

test('every character of Unicode 15.1 is folded in the same way as when keys were stored, for any version of ICU', () => {
  const hash = createHash('sha256');
  const unknown = new RegExp(ofNewerUnicode.source, 'u');
  let known = 0;
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (unknown.test(character)) continue;
    known++;
    hash.update(`${folded(character)}\0${wordsOf(`a${character}`).join(' ')}\0`);
  }
  expect(known).toBe(289_394);
  expect(hash.digest('hex')).toBe('faa1df4eb3dc99b127a392a298e3b842f05675c0cedbb4427eb95663acf87578');
});
