import { wordsOf } from '../text/folding.ts';

/**
 * Other forms of words: joined or separate, with `and` for `&`, and without the marks that Arabic
 * and Hebrew may omit.
 */

/** The maximum length of a joined word. People do not type longer words without a space. */
const JOINED_LENGTH_MAX = 30;
/** The maximum number of pairs of neighbouring words of a query that are joined. */
const PAIRS_MAX = 3;

/** Replaces the signs `&` and `+` in a text by `and`. */
export const withAnd = (text: string): string => text.replace(/&|(?<=\s)\+(?=\s)/g, ' and ');

/** Removes the punctuation within words: `Spider-Man` → `spiderman`, `N.O.V.A.` → `nova`. */
const withoutPunctuation = (text: string): string[] => text.split(/\s+/u).map((part) => wordsOf(part).join(''));

const isNumber = (word: string) => /^\p{N}+$/u.test(word);
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** True for two words that are often written without a space between them: `Catch 22`, `村上 春樹`. */
const areOftenOne = (one: string, other: string) =>
  (isNumber(other) && !isNumber(one)) || (IDEOGRAPHS.test(one) && IDEOGRAPHS.test(other));

/** Splits a word into letters and numbers: `1Q84` → `1`, `q`, `84`. */
const lettersAndNumbers = (word: string): string[] => word.match(/\p{N}+|[^\p{N}]+/gu) ?? [];

/** Arabic letters, with the plain letters that people type instead. */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const ARABIC_OR_HEBREW = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * Returns a word in the form in which most people type it: without vowels and other marks, and with
 * plain letters.
 */
const plain = (word: string): string =>
  ARABIC_OR_HEBREW.test(word)
    ? word.replace(/./gsu, (letter) => WRITTEN_FOR[letter] ?? letter).replace(/[\p{M}ـ]/gu, '')
    : word;

/** Returns the other words that find a title or a name, besides its own words. */
export function otherFormsOf(text: string): string[] {
  const words = wordsOf(text);
  const pairs = words.slice(1).flatMap((word, index) => {
    const before = words[index] ?? '';
    return areOftenOne(before, word) ? [before + word] : [];
  });
  const found = [...wordsOf(withAnd(text)), ...withoutPunctuation(text), ...pairs, ...words.flatMap(lettersAndNumbers)];
  return [...found, ...words.map(plain)].filter((word) => word !== '' && word.length <= JOINED_LENGTH_MAX);
}

/**
 * Returns the words of a query in other forms: without punctuation within words, plain, and with
 * two neighbouring words joined. A search tries each form if the forms before it find nothing.
 */
export function otherQueriesOf(query: string): string[][] {
  const words = wordsOf(query);
  const joined = words
    .slice(1, PAIRS_MAX + 1)
    .map((word, index) => words.toSpliced(index, 2, `${words[index] ?? ''}${word}`));
  const forms = [withoutPunctuation(query).filter((word) => word !== ''), words.map(plain), ...joined];
  const byText = new Map(forms.map((form) => [form.join(' '), form]));
  byText.delete(words.join(' '));
  return [...byText.values()];
}
