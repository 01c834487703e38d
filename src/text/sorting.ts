import { folded, wordsOf } from './folding.ts';

/** The order of titles and names, as keys that are stored and compared byte by byte. */

/** Stored keys begin with the version that made them. Raise it with every change of the keys. */
const VERSION = 1;

/** `1,000` is one number. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** A number follows the count of its digits, so that 2 comes before 10. */
const DIGITS_OF_LENGTH = 3;

/**
 * The place of a title or name in an order: by its folded words, numbers by value, without
 * punctuation, so that `'Salem's Lot` is under S and `(500) Days` under 500. `Intl.Collator` gives
 * no keys and compares differently with each version of ICU; these keys follow from the folding
 * alone, which is the same in every Node.
 */
export function sortKey(text: string): string {
  const words = wordsOf(text.replace(THOUSANDS, '')).map((word) => word.replace(/\d+/g, numberKey));
  return `${VERSION} ${words.length > 0 ? words.join(' ') : folded(text).trim()}`;
}

function numberKey(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '');
  return String(value.length).padStart(DIGITS_OF_LENGTH, '0') + value;
}
