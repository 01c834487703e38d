import { folded, wordsOf } from './folding.ts';

/** Sorts titles and names by keys that are stored and compared byte by byte. */

/** The version at the beginning of stored keys. Raise it with every change of the keys. */
const VERSION = 1;

/** The commas within a number such as `1,000`. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** The length of the count of digits that precedes a number, so that 2 sorts before 10. */
const DIGITS_OF_LENGTH = 3;

/**
 * The place of a title or name in an order: by its folded words, numbers by value, without
 * punctuation, so that `'Salem's Lot` is under S and `(500) Days` under 500. `Intl.Collator` gives
 * no keys, and compares differently with each version of ICU. These keys depend only on the
 * folding, which is the same in every Node.
 */
export function sortKey(text: string): string {
  const words = wordsOf(text.replace(THOUSANDS, '')).map((word) => word.replace(/\d+/g, numberKey));
  return `${VERSION} ${words.length > 0 ? words.join(' ') : folded(text).trim()}`;
}

function numberKey(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '');
  return String(value.length).padStart(DIGITS_OF_LENGTH, '0') + value;
}
