/**
 * Positions in lists that readers order by hand, by fractional indexing: texts that sort as the
 * entries do. There is always room for another position between two, so moving an entry changes
 * only its own position.
 *
 * A position is a whole number of eight digits of base 62, and a fraction of any length that does
 * not end with a zero. Entries at the ends get whole numbers; entries between two others get
 * fractions.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
const WHOLE_LENGTH = 8;
/** The position of the first entry, far from both ends. */
const MIDDLE = BASE ** WHOLE_LENGTH / 2;

/**
 * The maximum length of a stored position. A fraction grows by a digit with every fifth entry that
 * is inserted at the same place.
 */
export const POSITION_LENGTH_MAX = 32;
/** Texts that sort before and after every position. */
export const BEFORE_ALL = '';
export const AFTER_ALL = '~';

/**
 * Returns a position between two others.
 * @param before `undefined` for a position before all
 * @param after `undefined` for a position after all; otherwise higher than `before`
 */
export function between(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return ofWhole(after === undefined ? MIDDLE : wholeOf(after) - 1);
  if (after === undefined) return ofWhole(wholeOf(before) + 1);

  const whole = ofWhole(Math.ceil((wholeOf(before) + wholeOf(after)) / 2));
  if (before < whole && whole < after) return whole;
  const isSameWhole = wholeOf(before) === wholeOf(after);
  const fraction = fractionBetween(fractionOf(before), isSameWhole ? fractionOf(after) : undefined);
  return before.slice(0, WHOLE_LENGTH) + fraction;
}

/**
 * Returns a short position above the last one of a list, for entries that are moved there in their
 * order.
 * @param places the number of entries that will be placed after it
 * @param placesMax is more than `places`
 */
export const above = (last: string, places: number, placesMax: number): string =>
  ofWhole(wholeOf(last) + 1 + placesMax - places);

/** Returns the digits of a fraction between two others. @param high `undefined` for the number 1 */
function fractionBetween(low: string, high: string | undefined): string {
  let [fraction, limit] = ['', high];
  for (let index = 0; ; index++) {
    const from = digitAt(low, index);
    const to = limit === undefined ? BASE : digitAt(limit, index);
    if (to - from > 1) return fraction + digit(Math.floor((from + to) / 2));
    fraction += digit(from);
    // The fraction is now less than the higher one, for any following digits.
    if (to > from) limit = undefined;
  }
}

const digit = (value: number): string => DIGITS.charAt(value);

const digitAt = (fraction: string, index: number): number => Math.max(0, DIGITS.indexOf(fraction.charAt(index) || '0'));

const fractionOf = (position: string): string => position.slice(WHOLE_LENGTH);

function wholeOf(position: string): number {
  let whole = 0;
  for (let place = 0; place < WHOLE_LENGTH; place++) whole = whole * BASE + digitAt(position, place);
  return whole;
}

function ofWhole(whole: number): string {
  let [digits, left] = ['', whole];
  for (let place = 0; place < WHOLE_LENGTH; place++) {
    digits = digit(left % BASE) + digits;
    left = Math.floor(left / BASE);
  }
  return digits;
}
