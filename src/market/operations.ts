import { bookNow, existingBook } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { ItemCondition, ItemStatus } from '../graphql/schema.generated.ts';
import { priceOf, type Money } from './money.ts';
import { everyListingOfBook, selectListings, type ListingState } from './tables.ts';
import { pageOfShards, shardOf } from '../cassandra/shards.ts';
import { itemLoader } from './loaders.ts';
import { hiddenReaders, sees } from '../identity/privacy.ts';
import { first, rows } from '../cassandra/statement.ts';

/** A copy of a book that a reader sells. */
export interface Item {
  readonly type: 'Item';
  readonly id: string;
  /** What its seller calls it, else the title of its book, as it is now. */
  readonly title: string;
  readonly bookId: string;
  /** Null once the seller's account is deleted. */
  readonly sellerId: string | null;
  /** Because the seller is suspended. */
  readonly isWithheld: boolean;
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

/** A copy by id as the caller sees it; null where there never was one, and of a seller of whom the caller sees nothing. */
export async function shownItem(context: RequestContext, itemId: string): Promise<Item | null> {
  // Both are read at once.
  hiddenReaders(context);
  const item = await itemById(context, itemId);
  return item && (await isItemShown(context, item)) ? item : null;
}

/** Whether the caller sees a copy; one whose seller is no more is everybody's. */
export const isItemShown = async (context: RequestContext, { sellerId, isWithheld }: Item): Promise<boolean> =>
  sellerId === null || sellerId === context.viewerId || (!isWithheld && (await sees(context, sellerId)));

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
  isWithheld: state.withheld,
  price: priceOf(state),
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
  return titleOf(app, row.state);
}

/** What a copy is called: what its seller calls it, else the title of its book, as it is now. */
export const titleOf = async (app: AppContext, { own_title, book_id }: ListingState): Promise<string> =>
  own_title ?? (await bookNow(app, book_id)).title;

/** The copies of a book that were ever listed are in so many partitions. */
const COPY_SHARDS = 16;

/** The partition that a copy is in, among those of its book that were ever listed. */
export const partitionOfCopy = (bookId: string, itemId: string) => ({
  book_id: bookId,
  shard: shardOf(itemId, COPY_SHARDS),
});

/**
 * A page of the copies of a book that were ever listed, for sale or not.
 * @param after where the page before it ended, '' at first
 * @returns those of them that are called as their book; `next`: where the page ended, `undefined` when there is no other
 */
export async function copiesCalledAsTheirBook(
  { cassandra }: AppContext,
  bookId: string,
  after: string,
  limit: number,
): Promise<{ copies: { readonly itemId: string; readonly state: ListingState }[]; next: string | undefined }> {
  const page = { shards: COPY_SHARDS, limit, after };
  const { rows: listed, next } = await pageOfShards(cassandra, everyListingOfBook, { book_id: bookId }, page);
  if (listed.length === 0) return { copies: [], next };
  const found = await rows(cassandra, selectListings, { item_ids: listed.map(({ item_id }) => item_id) });
  const copies = found.filter(({ state }) => isMade(state) && state.own_title === null);
  return { copies: copies.map(({ item_id, state }) => ({ itemId: item_id, state })), next };
}
