import { monthOf } from '../time/units.ts';

/**
 * The lists of all copies for sale: by the time of listing and by price, each for all copies and
 * for each genre. The lists are divided into consecutive partitions.
 */

/** The name of the list of all copies among those of the genres. No genre has it. */
export const EVERY_GENRE = '';

/** The first month in which a copy may have been listed. */
const FIRST_MONTH = new Date(Date.UTC(2020, 0));

/** The partition of the moment when a copy was listed: its month. */
export const listingMonthOf = ({ listed_at }: { readonly listed_at: Date }): Date => monthOf(listed_at);

/**
 * Returns the months in which copies may have been listed, with a tolerance for servers whose clock
 * is ahead.
 */
export function listingMonths(now: Date): Date[] {
  const count = (now.getUTCFullYear() - FIRST_MONTH.getUTCFullYear()) * 12 + now.getUTCMonth() + 2;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => new Date(Date.UTC(2020, index)));
}

/** The digits of the highest stored amount, and those of an amount of one unit. */
const AMOUNT_LENGTH_MAX = 16;
const UNIT_LENGTH = 5;
const BANDS_PER_LENGTH = 3;

/** The partition of a price: its number of digits, and whether it begins below 2, 5 or 10. */
export function bandOf({ amount_e4 }: { readonly amount_e4: bigint }): number {
  const text = amount_e4.toString();
  const first = Number(text.charAt(0));
  return (text.length - 1) * BANDS_PER_LENGTH + (first < 2 ? 0 : first < 5 ? 1 : 2);
}

/** Returns the partitions that prices of a currency may be in. */
export function bandsOf(digits: number): number[] {
  const lowest = (UNIT_LENGTH - 1 - digits) * BANDS_PER_LENGTH;
  return Array.from({ length: AMOUNT_LENGTH_MAX * BANDS_PER_LENGTH - lowest }, (_, index) => lowest + index);
}
