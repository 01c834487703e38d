import { requireViewer, type Account } from '../identity/operations.ts';
import { bookInput, existingBook } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { idInput, uuidOf } from '../graphql/ids.ts';
import type { ItemCondition, ItemStatus } from '../graphql/schema.generated.ts';
import { tidied } from '../text/text.ts';
import { changeOf } from '../aggregates/aggregate.ts';
import { follow, itemAuthority } from './authority.ts';
import { mustSellIn } from './currency.ts';
import { digitsOf, formatAmount, isCurrency, parseAmount, type Money } from './money.ts';
import { type ItemState } from './tables.ts';
import { itemLoader } from './loaders.ts';

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

const TITLE_LENGTH_MAX = 500;
const KEY_LENGTH_MAX = 200;

const wrong = (path: readonly string[], message: string) => new UserError('INVALID_INPUT', message, ['input', ...path]);

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
const isMade = ({ book_id }: ItemState) => book_id !== '';

const itemOf = (itemId: string, state: ItemState, title: string): Item => ({
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

/** A price as it is stored. */
function priceInput({ amount, currency }: Money): { amount: bigint; currency: string } {
  if (!isCurrency(currency)) {
    throw wrong(['price', 'currency'], 'This is not the code of a currency; send one of ISO 4217, such as EUR.');
  }
  const digits = digitsOf(currency);
  const read = parseAmount(amount, digits);
  if (read === undefined || read === 0n) {
    const message = `A price is a plain decimal above 0 with at most ${String(digits)} digits behind the point, such as ${formatAmount(1250n, digits)}.`;
    throw wrong(['price', 'amount'], message);
  }
  return { amount: read, currency };
}

function titleInput(title: string): string {
  const given = tidied(title);
  if (given === '' || given.length > TITLE_LENGTH_MAX || /\p{Cc}/u.test(given))
    throw wrong(['title'], `A title has 1 to ${String(TITLE_LENGTH_MAX)} characters.`);
  return given;
}

/** The id of a copy: of the same key of the same seller always the same one. */
function newItemId(context: RequestContext, sellerId: string, idempotencyKey: string | null | undefined): string {
  if (idempotencyKey == null) return context.randomId();
  if (idempotencyKey === '' || idempotencyKey.length > KEY_LENGTH_MAX)
    throw wrong(['idempotencyKey'], `A key has 1 to ${String(KEY_LENGTH_MAX)} characters.`);
  return uuidOf(`item ${sellerId} ${idempotencyKey}`);
}

/**
 * The viewer offers a copy of a book.
 * @throws {UserError} `INVALID_INPUT` about what cannot be used, `NOT_FOUND` about `bookId`
 */
export async function listItem(
  context: RequestContext,
  input: {
    bookId: string;
    price: Money;
    condition: ItemCondition;
    title?: string | null;
    idempotencyKey?: string | null;
  },
) {
  const now = context.clock();
  const viewer = await requireViewer(context);
  const { amount, currency } = priceInput(input.price);
  const ownTitle = input.title == null ? null : titleInput(input.title);
  const itemId = newItemId(context, viewer.id, input.idempotencyKey);
  const book = await bookInput(context, input.bookId);
  await mustSellIn(context, viewer.id, currency);
  const change = { itemId, sellerId: viewer.id };
  await itemAuthority.change(context, change, undefined, (state) => {
    if (state && isMade(state)) return undefined;
    const changed = changeOf(context, state, now);
    return {
      ...changed,
      seller_id: viewer.id,
      book_id: book.id,
      own_title: ownTitle,
      condition: input.condition,
      amount,
      currency,
      status: 'FOR_SALE',
      listed_at: changed.changed_at,
      ended_at: null,
      priced_at: changed.changed_at,
      former_amount: null,
    };
  });
  return { item: await itemNow(context, itemId), viewer };
}

/**
 * The viewer changes the price of a copy of theirs.
 * @throws {UserError} `INVALID_INPUT` about what cannot be used, `NOT_FOUND` and `FORBIDDEN` about `itemId`
 */
export async function changePrice(context: RequestContext, input: { itemId: string; price: Money }) {
  const { amount, currency } = priceInput(input.price);
  return changeItem(context, input.itemId, (state, now) => {
    if (state.currency !== currency) {
      throw wrong(['price', 'currency'], `This copy is sold in ${state.currency}; name its price in that.`);
    }
    if (state.status !== 'FOR_SALE') throw wrong(['itemId'], 'This copy is not for sale any more.');
    if (state.amount === amount) return undefined;
    const changed = changeOf(context, state, now);
    return { ...state, ...changed, amount, priced_at: changed.changed_at, former_amount: state.amount };
  });
}

/**
 * The viewer takes a copy of theirs off the market; one that is off it stays as it is.
 * @throws {UserError} `INVALID_INPUT`, `NOT_FOUND` and `FORBIDDEN` about `itemId`
 */
export const withdrawItem = (context: RequestContext, input: { itemId: string }) =>
  endItem(context, input.itemId, 'WITHDRAWN');

/**
 * The viewer has sold a copy of theirs.
 * @throws {UserError} `INVALID_INPUT` (also for one that was withdrawn), `NOT_FOUND` and `FORBIDDEN`, about `itemId`
 */
export const markAsSold = (context: RequestContext, input: { itemId: string }) =>
  endItem(context, input.itemId, 'SOLD');

const endItem = (context: RequestContext, itemId: string, status: 'SOLD' | 'WITHDRAWN') =>
  changeItem(context, itemId, (state, now) => {
    if (state.status === status) return undefined;
    if (state.status !== 'FOR_SALE') throw wrong(['itemId'], 'This copy is not for sale any more.');
    const changed = changeOf(context, state, now);
    return { ...state, ...changed, status, ended_at: changed.changed_at };
  });

/** Takes a copy of the viewer's from one state to the next. */
async function changeItem(
  context: RequestContext,
  id: string,
  next: (state: ItemState, now: Date) => ItemState | undefined,
): Promise<{ item: Item; viewer: Account }> {
  const now = context.clock();
  const viewer = await requireViewer(context);
  const { type, key: itemId } = idInput('itemId', id);
  if (type !== 'Item') throw wrong(['itemId'], `This is the id of a ${type}, not of a copy.`);
  const change = { itemId, sellerId: viewer.id };
  const expected = await itemAuthority.read(context, change);
  mustBeOf(viewer.id, expected);
  await itemAuthority.change(context, change, expected, async (state, step) => {
    mustBeOf(viewer.id, state);
    const wanted = next(state, now);
    // The new state knows only the price before: the lists must have left those before that one.
    if (wanted) await follow(context, change, state, (name, work) => step(`former ${name}`, work));
    return wanted;
  });
  return { item: await itemNow(context, itemId), viewer };
}

function mustBeOf(sellerId: string, state: ItemState | undefined): asserts state is ItemState {
  if (!state || !isMade(state)) throw new UserError('NOT_FOUND', 'No copy has this id.', ['input', 'itemId']);
  if (state.seller_id !== sellerId)
    throw new UserError('FORBIDDEN', 'This copy is somebody else’s.', ['input', 'itemId']);
}

/** A copy as it is after a change, whatever the request has read before. */
function itemNow(context: RequestContext, itemId: string): Promise<Item> {
  itemLoader(context).clear(itemId);
  return existingItem(context, itemId);
}
