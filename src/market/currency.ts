import { untilKnown } from '../cassandra/until-known.ts';
import { applied, first } from '../cassandra/statement.ts';
import type { RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { reserveCurrency, selectCurrency } from './tables.ts';

/** Reads the currency of a seller; unset before their first copy. */
const currencyOf = async ({ cassandra }: RequestContext, sellerId: string): Promise<string | undefined> =>
  (await first(cassandra, selectCurrency, { seller_id: sellerId }))?.currency;

/**
 * @throws {UserError} `INVALID_INPUT` about the price's currency, when the seller has another one
 */
export async function mustSellIn(context: RequestContext, sellerId: string, currency: string): Promise<void> {
  const { cassandra } = context;
  let known = await currencyOf(context, sellerId);
  if (known === undefined) {
    const reserved = await untilKnown(cassandra, () =>
      applied(cassandra, reserveCurrency, { seller_id: sellerId, currency }),
    );
    known = reserved.applied ? currency : reserved.current?.currency;
  }
  if (known !== currency) {
    throw new UserError('INVALID_INPUT', `All your copies are sold in one currency, and yours is ${String(known)}.`, [
      'input',
      'price',
      'currency',
    ]);
  }
}
