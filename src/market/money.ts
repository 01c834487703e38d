import { digitsOf } from './iso-4217.ts';

/** Converts amounts of money between the written form and the form that is stored and compared. */

/** A sum of money. */
export interface Money {
  /** A plain decimal, such as `12.50`. */
  readonly amount: string;
  /** A code of ISO 4217. */
  readonly currency: string;
}

const WHOLE_DIGITS_MAX = 12;
const FRACTION_LENGTH_MAX = 12;
/**
 * Amounts of every currency are stored in ten-thousandths of its unit. No currency has more digits,
 * and a stored amount can be read without a table of currencies.
 */
const STORED_DIGITS = 4;

/**
 * Reads a plain decimal that is not negative: `12`, `12.5`, `12.50`.
 * @param digitsMax the maximum number of decimal digits
 * @returns the amount in ten-thousandths; `undefined` if the text is no such decimal, or has more
 *   digits
 */
export function parseAmount(text: string, digitsMax: number): bigint | undefined {
  const { whole, fraction } = partsOf(text);
  return fraction.length > digitsMax ? undefined : storedOf(whole, fraction);
}

/**
 * Reads one end of a range of prices, which may have more digits than any price.
 * @returns the nearest amount in ten-thousandths, above or below; `undefined` if it is not a plain
 *   decimal
 */
export function parseLimit(text: string, round: 'UP' | 'DOWN'): bigint | undefined {
  const { whole, fraction } = partsOf(text);
  const amount = storedOf(whole, fraction.slice(0, STORED_DIGITS));
  const isAbove = /[1-9]/.test(fraction.slice(STORED_DIGITS));
  return amount !== undefined && round === 'UP' && isAbove ? amount + 1n : amount;
}

/** Splits a plain decimal at its point. For other texts, the whole part is empty. */
function partsOf(text: string): { readonly whole: string; readonly fraction: string } {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const isTooLong = whole.length > WHOLE_DIGITS_MAX || fraction.length > FRACTION_LENGTH_MAX;
  return isTooLong ? { whole: '', fraction: '' } : { whole, fraction };
}

const storedOf = (whole: string, fraction: string): bigint | undefined =>
  whole === '' ? undefined : BigInt(whole + fraction.padEnd(STORED_DIGITS, '0'));

/** Converts an amount in the smallest unit of a currency to the stored form. */
export const storedMinor = (amount: bigint, digits: number): bigint => amount * 10n ** BigInt(STORED_DIGITS - digits);

/** Converts a stored price to the written form. */
export const priceOf = ({ amount_e4, currency }: { readonly amount_e4: bigint; readonly currency: string }): Money => ({
  amount: formatAmount(amount_e4, digitsOf(currency) ?? 0),
  currency,
});

/**
 * Formats an amount.
 * @param amount in ten-thousandths
 * @param digits the decimal digits of the currency; more are shown if the amount has them
 */
function formatAmount(amount: bigint, digits: number): string {
  const text = amount.toString().padStart(STORED_DIGITS + 1, '0');
  const whole = text.slice(0, -STORED_DIGITS);
  const fraction = text.slice(-STORED_DIGITS).replace(/0+$/, '').padEnd(digits, '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
