/** Money: amounts as people write them, and in the smallest unit of their currency, as they are stored and compared. */

/** A sum of money. */
export interface Money {
  /** A plain decimal: `12.50`. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
}

const DIGITS_MAX = 12;
const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Whether a currency has this ISO 4217 code. */
export const isCurrency = (code: string) => currencies.has(code);

/** How many digits a currency has behind the point (ISO 4217). */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/**
 * Reads a plain decimal that is not negative: `12`, `12.5`, `12.50`.
 * @param round what becomes of digits that the currency does not have; none unless given
 * @returns in the smallest unit, `undefined` when it is not one
 */
export function parseAmount(text: string, digits: number, round?: 'UP' | 'DOWN'): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || whole.length > DIGITS_MAX || fraction.length > DIGITS_MAX) return undefined;
  const surplus = fraction.slice(digits);
  if (surplus !== '' && round === undefined) return undefined;
  const amount = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return round === 'UP' && /[1-9]/.test(surplus) ? amount + 1n : amount;
}

/** An amount with as many digits as its currency has. */
export function formatAmount(amount: bigint, digits: number): string {
  if (digits === 0) return amount.toString();
  const text = amount.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
