import { untilKnown } from '../cassandra/retries.ts';
import { applied, first } from '../cassandra/statement.ts';
import type { RequestContext } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { reserveCurrency, selectCurrency } from './tables.ts';

/**
 * @throws {UserError} `INVALID_INPUT` about the price's currency if the seller has another currency
 */
export async function requireSellersCurrency(
  context: RequestContext,
  sellerId: string,
  currency: string,
): Promise<void> {
  const { cassandra } = context;
  // A seller gets a currency with their first copy.
  let known: string | null | undefined = await currencyOf(context, sellerId);
  if (known === null) {
    const reserved = await untilKnown(cassandra, () =>
      applied(cassandra, reserveCurrency, { seller_id: sellerId, currency }),
    );
    known = reserved.applied ? currency : reserved.current?.currency;
  }
  if (known === currency) return;
  const message = `All your copies are sold in one currency, and yours is ${String(known)}.`;
  throw invalidInput(['price', 'currency'], message);
}

/**
 * Reads the currency of a seller's prices, which their first copy has set; null if they have listed
 * no copy.
 */
export async function currencyOf({ cassandra }: RequestContext, sellerId: string): Promise<string | null> {
  return (await first(cassandra, selectCurrency, { seller_id: sellerId }))?.currency ?? null;
}
