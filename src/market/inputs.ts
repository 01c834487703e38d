import type { RequestContext } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { keyInput, uuidOf } from '../graphql/ids.ts';
import { readInput, shownInput } from '../graphql/inputs.ts';
import { charactersIn } from '../text/text.ts';
import { digitsOf } from './iso-4217.ts';
import { type Money, parseAmount, storedMinor } from './money.ts';

/** Reads the inputs of the market's mutations. */

const TITLE_LENGTH_MAX = 500;
const PLACE_LENGTH_MAX = 100;
const KEY_LENGTH_MAX = 200;
/**
 * The maximum price, in the smallest unit of its currency: 100,000,000.00 EUR, 10,000,000,000 JPY.
 * No book was ever sold for as much.
 */
const PRICE_MAX_MINOR = 10_000_000_000n;

/** Converts a price to its stored form. */
export const priceInput = ({ amount, currency }: Money): { amount_e4: bigint; currency: string } => {
  const read = readInput({ amount: () => amountInput(amount, currency), currency: () => currencyInput(currency) });
  return { amount_e4: read.amount, currency: read.currency };
};

function amountInput(text: string, currency: string): bigint {
  const digits = digitsOf(currency);
  // Only the error about an unknown currency is reported, so any amount of it is fine.
  const amount = parseAmount(text, digits ?? Infinity);
  const max = digits === undefined ? undefined : storedMinor(PRICE_MAX_MINOR, digits);
  if (amount !== undefined && amount > 0n && (max === undefined || amount <= max)) return amount;

  const behind = digits === 0 ? 'no digits' : `at most ${String(digits ?? 2)} digits`;
  const example = digits === 0 ? '12' : `12.${'5'.padEnd(digits ?? 2, '0')}`;
  const most = digits === undefined ? '' : ` and at most ${maxInWords(digits)},`;
  const message = `A price is a plain number above 0${most} with ${behind} after the point, such as ${example}.`;
  throw invalidInput(['price', 'amount'], message);
}

/** Returns the maximum price as people read it: `100,000,000.00`. */
const maxInWords = (digits: number): string =>
  (Number(PRICE_MAX_MINOR) / 10 ** digits).toLocaleString('en', { minimumFractionDigits: digits });

function currencyInput(currency: string): string {
  if (digitsOf(currency) !== undefined) return currency;
  throw invalidInput(['price', 'currency'], 'This is not the code of a currency; send one of ISO 4217, such as EUR.');
}

export const titleInput = (title: string) => shownInput(['title'], 'A title', title, TITLE_LENGTH_MAX);

export const placeInput = (place: string) => shownInput(['place'], 'A place', place, PLACE_LENGTH_MAX);

/** Makes the id of a copy. The same seller and key always give the same id. */
export function newItemId(
  context: RequestContext,
  sellerId: string,
  idempotencyKey: string | null | undefined,
): string {
  if (idempotencyKey == null) return context.randomId();
  if (idempotencyKey === '' || charactersIn(idempotencyKey) > KEY_LENGTH_MAX)
    throw invalidInput(['idempotencyKey'], `A key has 1 to ${String(KEY_LENGTH_MAX)} characters.`);
  return uuidOf(`item ${sellerId} ${idempotencyKey}`);
}

export const itemIdInput = (id: string): string => keyInput('itemId', id, 'Item', 'a copy');
