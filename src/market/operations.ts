import type { Content } from '../aggregates/state.ts';
import { first } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { bookIdInput, existingBook, requireBook, shownBook } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { untilShown } from '../context/shown.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import type { ItemCondition, ItemStatus } from '../graphql/generated/schema-types.ts';
import { type Account, requireViewer } from '../identity/operations.ts';
import { hiddenReaders, canSeeReader } from '../identity/privacy.ts';
import { doJobsOf } from '../jobs/operations.ts';
import { genreKeys, isMade, listings, NOT_TAKEN_DOWN, titleOf } from './aggregate.ts';
import { requireSellersCurrency } from './currency.ts';
import { itemIdInput, newItemId, placeInput, priceInput, titleInput } from './inputs.ts';
import { itemLoader } from './loaders.ts';
import { priceOf, type Money } from './money.ts';
import { selectListings, type ListingState } from './tables.ts';

/** Lists copies, changes and withdraws them, and reads a copy as the API shows it. */

/** A copy of a book that a reader sells. */
export interface Item {
  readonly type: 'Item';
  readonly id: string;
  /** The seller's own title, else the current title of its book. */
  readonly title: string;
  readonly bookId: string;
  /** Null if the seller's account is deleted. */
  readonly sellerId: string | null;
  /** True while the seller is suspended. */
  readonly isWithheld: boolean;
  readonly price: Money;
  readonly condition: ItemCondition;
  /** The place where the seller has it, in their words; null if they gave none. */
  readonly place: string | null;
  readonly status: ItemStatus;
  readonly listedAt: Date;
  /** The end of its sale; null while it is for sale. */
  readonly endedAt: Date | null;
}

/** Returns a copy by id, for sale or not; null if there never was one. */
export async function itemById(context: RequestContext, itemId: string): Promise<Item | null> {
  const state = (await itemLoader(context).load(itemId))?.state;
  if (!state || !isMade(state)) return null;
  return itemOf(itemId, state, state.own_title ?? (await existingBook(context, state.book_id)).title);
}

/** Returns a copy by id; null if there never was one, or if the caller may not see its seller. */
export async function shownItem(context: RequestContext, itemId: string): Promise<Item | null> {
  // This begins a read that runs at the same time as the next one.
  hiddenReaders(context);
  const item = await itemById(context, itemId);
  return item && (await isItemShown(context, item)) ? item : null;
}

/** Returns the book of a copy; null if there is no such copy, or if the book was removed. */
export async function bookOfItem(context: RequestContext, itemId: string): Promise<Book | null> {
  const item = await itemById(context, itemId);
  return item && shownBook(context, item.bookId);
}

/** True if the caller may see a copy. A copy of a deleted account is visible to everybody. */
export const isItemShown = async (context: RequestContext, { sellerId, isWithheld }: Item): Promise<boolean> =>
  sellerId === null || sellerId === context.viewerId || (!isWithheld && (await canSeeReader(context, sellerId)));

/** Returns a copy that must exist, because a list names it. */
export async function existingItem(context: RequestContext, itemId: string): Promise<Item> {
  const item = await itemById(context, itemId);
  if (!item) throw new Error(`A row refers to the copy ${itemId}, which does not exist`);
  return item;
}

const itemOf = (itemId: string, state: ListingState, title: string): Item => ({
  type: 'Item',
  id: itemId,
  title,
  bookId: state.book_id,
  sellerId: state.seller_id,
  isWithheld: state.withheld,
  price: priceOf(state),
  condition: state.condition,
  place: state.place,
  status: state.status,
  listedAt: state.listed_at,
  endedAt: state.ended_at,
});

/** Reads a copy after a change, without the request's own caches. */
export function itemAfterChange(context: RequestContext, itemId: string): Promise<Item> {
  itemLoader(context).clear(itemId);
  return existingItem(context, itemId);
}

/** Reads the current title of a copy that must exist. */
export async function itemTitleNow(app: AppContext, itemId: string): Promise<string> {
  const row = await first(app.cassandra, selectListings, { item_ids: [itemId] });
  if (!row) throw new Error(`A row refers to the copy ${itemId}, which does not exist`);
  return titleOf(app, row.state);
}

/**
 * Lists a copy of a book for sale by the viewer.
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used, `NOT_FOUND` about `bookId`
 */
export async function listItem(
  context: RequestContext,
  input: {
    bookId: string;
    price: Money;
    condition: ItemCondition;
    title?: string | null;
    place?: string | null;
    idempotencyKey?: string | null;
  },
) {
  const viewer = await requireViewer(context);
  const { bookId, price, ownTitle, place, itemId } = readInput({
    bookId: () => bookIdInput(input.bookId),
    price: () => priceInput(input.price),
    ownTitle: () => (input.title == null ? null : titleInput(input.title)),
    place: () => (input.place == null ? null : placeInput(input.place)),
    itemId: () => newItemId(context, viewer.id, input.idempotencyKey),
  });
  const book = await requireBook(context, bookId);
  await requireSellersCurrency(context, viewer.id, price.currency);

  const listed = {
    seller_id: viewer.id,
    book_id: book.id,
    own_title: ownTitle,
    place,
    condition: input.condition,
    genres: genreKeys(book),
  };
  await listings.change(context, { itemId, sellerId: viewer.id }, undefined, (state, at) => {
    if (state && isMade(state)) return undefined;
    const priced = { ...price, priced_at: at, former_amount_e4: null };
    return {
      ...listed,
      ...priced,
      status: 'FOR_SALE',
      listed_at: at,
      ended_at: null,
      withheld: false,
      ...NOT_TAKEN_DOWN,
    };
  });

  return { item: await itemAfterChange(context, itemId), viewer };
}

/**
 * Changes the price of the viewer's copy.
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used, `NOT_FOUND` and `FORBIDDEN`
 *   about `itemId`
 */
export async function changePrice(context: RequestContext, input: { itemId: string; price: Money }) {
  const viewer = await requireViewer(context);
  const { itemId, price } = readInput({
    itemId: () => itemIdInput(input.itemId),
    price: () => priceInput(input.price),
  });
  const { amount_e4, currency } = price;

  return changeListing(context, viewer, itemId, (state, at) => {
    if (state.currency !== currency) {
      throw invalidInput(
        ['price', 'currency'],
        `This copy is sold in ${state.currency}; give its price in that currency.`,
      );
    }
    if (state.status !== 'FOR_SALE') throw invalidInput(['itemId'], 'This copy is not for sale any more.');
    if (state.amount_e4 === amount_e4) return undefined;
    return { ...state, amount_e4, priced_at: at, former_amount_e4: state.amount_e4 };
  });
}

/**
 * Withdraws the viewer's copy from sale. A copy that is not for sale is not changed.
 * @throws {UserError} `INVALID_INPUT`, `NOT_FOUND` and `FORBIDDEN` about `itemId`
 */
export const withdrawItem = (context: RequestContext, input: { itemId: string }) =>
  endListing(context, input.itemId, 'WITHDRAWN');

/**
 * Marks the viewer's copy as sold.
 * @throws {UserError} `INVALID_INPUT` (also for one that was withdrawn), `NOT_FOUND` and
 *   `FORBIDDEN`, about `itemId`
 */
export const markAsSold = (context: RequestContext, input: { itemId: string }) =>
  endListing(context, input.itemId, 'SOLD');

async function endListing(context: RequestContext, id: string, status: 'SOLD' | 'WITHDRAWN') {
  const viewer = await requireViewer(context);
  return changeListing(context, viewer, itemIdInput(id), (state, at) => {
    if (state.status === status) return undefined;
    if (state.status !== 'FOR_SALE') throw invalidInput(['itemId'], 'This copy is not for sale any more.');
    return { ...state, status, ended_at: at };
  });
}

/** Changes the state of the viewer's copy. */
async function changeListing(
  context: RequestContext,
  viewer: Account,
  itemId: string,
  next: (state: ListingState, at: Date) => Content<ListingState> | undefined,
): Promise<{ item: Item; viewer: Account }> {
  const key = { itemId, sellerId: viewer.id };

  const expected = await listings.read(context, key);
  // Only callers who may see a copy learn that it exists.
  const isHidden = expected?.seller_id !== viewer.id && (await shownItem(context, itemId)) === null;
  if (isHidden) throw noCopy();
  requireSeller(viewer.id, expected);
  await listings.change(context, key, expected, (state, at) => {
    requireSeller(viewer.id, state);
    return next(state, at);
  });

  return { item: await itemAfterChange(context, itemId), viewer };
}

/**
 * Takes down the seller's own title of a copy, and its place. The copy then has the title of its
 * book.
 * @returns `changed`: false if it has neither
 */
export async function takeTitleDown(
  context: RequestContext,
  { id: itemId, sellerId }: Item & { readonly sellerId: string },
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<{ item: Item; changed: boolean }> {
  const key = { itemId, sellerId };

  const expected = await listings.read(context, key);
  const { changed } = await listings.change(context, key, expected, (state, at) => {
    if (!state?.seller_id || (state.own_title === null && state.place === null)) return undefined;
    const decided = { title_taken_down_at: at, title_taken_down_by: by, title_taken_down_reason: reason };
    return { ...state, own_title: null, place: null, ...decided };
  });
  await doJobsOf(context, { type: 'Item', key: itemId });
  await untilShown(context);

  return { item: await itemAfterChange(context, itemId), changed };
}

export const noCopy = () => new UserError('NOT_FOUND', 'There is no such copy.', ['input', 'itemId']);

function requireSeller(sellerId: string, state: ListingState | undefined): asserts state is ListingState {
  if (!state || !isMade(state)) throw noCopy();
  if (state.seller_id !== sellerId)
    throw new UserError('FORBIDDEN', 'This copy is somebody else’s.', ['input', 'itemId']);
}
