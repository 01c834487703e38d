import { bookTitleNow, existingBook } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { ItemCondition, ItemStatus } from '../graphql/schema.generated.ts';
import { digitsOf, formatAmount, type Money } from './money.ts';
import { selectListings, type ListingState } from './tables.ts';
import { itemLoader } from './loaders.ts';
import { first } from '../cassandra/statement.ts';

/** A copy of a book that a reader sells. */
export interface Item {
  readonly type: 'Item';
  readonly id: string;
  /** What its seller calls it, else the title of its book, as it is now. */
  readonly title: string;
  readonly bookId: string;
  /** Null once the seller's account is deleted. */
  readonly sellerId: string | null;
  readonly price: Money;
  readonly condition: ItemCondition;
  readonly status: ItemStatus;
  readonly listedAt: Date;
  /** Since when it is not for sale. */
  readonly endedAt: Date | null;
}

/** A copy by id, for sale or not; null when there never was one. */
export async function itemById(context: RequestContext, itemId: string): Promise<Item | null> {
  const state = (await itemLoader(context).load(itemId))?.state;
  if (!state || !isMade(state)) return null;
  return itemOf(itemId, state, state.own_title ?? (await existingBook(context, state.book_id)).title);
}

/** A copy that is known to exist, because it was just found in a list. */
export async function existingItem(context: RequestContext, itemId: string): Promise<Item> {
  const item = await itemById(context, itemId);
  if (!item) throw new Error(`Something is about the copy ${itemId}, which does not exist`);
  return item;
}

/** Whether there was ever a copy, not only somebody who wanted to list it. */
export const isMade = ({ book_id }: ListingState) => book_id !== '';

const itemOf = (itemId: string, state: ListingState, title: string): Item => ({
  type: 'Item',
  id: itemId,
  title,
  bookId: state.book_id,
  sellerId: state.seller_id,
  price: { amount: formatAmount(state.amount, digitsOf(state.currency)), currency: state.currency },
  condition: state.condition,
  status: state.status,
  listedAt: state.listed_at,
  endedAt: state.ended_at,
});

/** A copy as it is after a change, whatever the request has read before. */
export function itemAfterChange(context: RequestContext, itemId: string): Promise<Item> {
  itemLoader(context).clear(itemId);
  return existingItem(context, itemId);
}

/** The title of a copy that is known to exist, as it is now. */
export async function itemTitleNow(app: AppContext, itemId: string): Promise<string> {
  const row = await first(app.cassandra, selectListings, { item_ids: [itemId] });
  if (!row) throw new Error(`Something is about the copy ${itemId}, which does not exist`);
  return row.state.own_title ?? bookTitleNow(app, row.state.book_id);
}
