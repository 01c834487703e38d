import { folded, wordsOf } from './folding.ts';

/** The order of titles and names, as keys that are stored and compared byte by byte. */

/** To be raised with every change of the keys: those that are stored begin with the version that made them. */
const VERSION = 1;

/** `1,000` is one number. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** A number is preceded by how many digits it has, so that 2 comes before 10. */
const DIGITS_OF_LENGTH = 3;

/**
 * Where a title or a name stands: by its words, folded; numbers by their value; punctuation does not count, so that
 * `'Salem's Lot` is under S and `(500) Days` under 500. Node's `Intl.Collator` gives no keys, and compares otherwise with every
 * version of ICU; these keys follow from the folding alone, which is the same with every Node.
 */
export function sortKey(text: string): string {
  const words = wordsOf(text.replace(THOUSANDS, '')).map((word) => word.replace(/\d+/g, numberKey));
  return `${VERSION} ${words.length > 0 ? words.join(' ') : folded(text).trim()}`;
}

function numberKey(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '');
  return String(value.length).padStart(DIGITS_OF_LENGTH, '0') + value;
}
