import { digitsOf } from './iso-4217.ts';

/** Money: amounts as people write them, and as they are stored and compared. */

/** A sum of money. */
export interface Money {
  /** A plain decimal: `12.50`. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
}

const WHOLE_DIGITS_MAX = 12;
const FRACTION_LENGTH_MAX = 12;
/**
 * Amounts are stored in ten-thousandths of their currency's unit, whatever the currency. No currency has more digits, and
 * no table of currencies is needed to read what is stored.
 */
const STORED_DIGITS = 4;

/**
 * Reads a plain decimal that is not negative: `12`, `12.5`, `12.50`.
 * @param digitsMax how many digits it may have behind the point
 * @returns in ten-thousandths; `undefined` when it is not one, or has more digits
 */
export function parseAmount(text: string, digitsMax: number): bigint | undefined {
  const { whole, fraction } = partsOf(text);
  return fraction.length > digitsMax ? undefined : storedOf(whole, fraction);
}

/**
 * Reads one end of a range of prices, which may have more digits than any price.
 * @returns the nearest amount in ten-thousandths, above or below; `undefined` when it is no plain decimal
 */
export function parseLimit(text: string, round: 'UP' | 'DOWN'): bigint | undefined {
  const { whole, fraction } = partsOf(text);
  const amount = storedOf(whole, fraction.slice(0, STORED_DIGITS));
  const isAbove = /[1-9]/.test(fraction.slice(STORED_DIGITS));
  return amount !== undefined && round === 'UP' && isAbove ? amount + 1n : amount;
}

/** The digits before and behind the point; none before it where a text is no plain decimal. */
function partsOf(text: string): { readonly whole: string; readonly fraction: string } {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const isTooLong = whole.length > WHOLE_DIGITS_MAX || fraction.length > FRACTION_LENGTH_MAX;
  return isTooLong ? { whole: '', fraction: '' } : { whole, fraction };
}

const storedOf = (whole: string, fraction: string): bigint | undefined =>
  whole === '' ? undefined : BigInt(whole + fraction.padEnd(STORED_DIGITS, '0'));

/** A price as people write it, from what is stored. */
export const priceOf = ({ amount_e4, currency }: { readonly amount_e4: bigint; readonly currency: string }): Money => ({
  amount: formatAmount(amount_e4, digitsOf(currency) ?? 0),
  currency,
});

/**
 * An amount as people write it.
 * @param amount in ten-thousandths
 * @param digits how many the currency has behind the point; more are shown where the amount has them
 */
function formatAmount(amount: bigint, digits: number): string {
  const text = amount.toString().padStart(STORED_DIGITS + 1, '0');
  const whole = text.slice(0, -STORED_DIGITS);
  const fraction = text.slice(-STORED_DIGITS).replace(/0+$/, '').padEnd(digits, '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
