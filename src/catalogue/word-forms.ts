import { wordsOf } from '../text/folding.ts';

/**
 * Words as people write them otherwise: joined or apart, with `and` for `&`, and without the marks
 * that Arabic and Hebrew may leave out.
 */

/** Longer words are not typed in one. */
const JOINED_LENGTH_MAX = 30;
/** The number of neighbouring words of a query that are joined. */
const PAIRS_MAX = 3;

/** A text with `and` for its signs of it. */
export const withAnd = (text: string): string => text.replace(/&|(?<=\s)\+(?=\s)/g, ' and ');

/** `Spider-Man` → `spiderman`, `N.O.V.A.` → `nova`: the words of what has no space in it. */
const withoutPunctuation = (text: string): string[] => text.split(/\s+/u).map((part) => wordsOf(part).join(''));

const isNumber = (word: string) => /^\p{N}+$/u.test(word);
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** True for words that are written with and without a space between them: `Catch 22`, `村上 春樹`. */
const areOftenOne = (one: string, other: string) =>
  (isNumber(other) && !isNumber(one)) || (IDEOGRAPHS.test(one) && IDEOGRAPHS.test(other));

/** `1Q84` → `1`, `q`, `84`. */
const lettersAndNumbers = (word: string): string[] => word.match(/\p{N}+|[^\p{N}]+/gu) ?? [];

/** The letters of Arabic that people write for others. */
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

/** A word as most people type it: without vowels and other marks, and with the plain letters. */
const plain = (word: string): string =>
  ARABIC_OR_HEBREW.test(word)
    ? word.replace(/./gsu, (letter) => WRITTEN_FOR[letter] ?? letter).replace(/[\p{M}ـ]/gu, '')
    : word;

/** The words by which a title or a name is found as well, besides its own. */
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
 * The words of a query in other forms: without punctuation within them, plain, and two neighbours
 * joined. Each is to be tried if nothing is found with those before it.
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
