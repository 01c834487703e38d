import pLimit from 'p-limit';
import { z } from 'zod';
import { accountNow, type Account, requireViewer } from '../identity/operations.ts';
import { actionWrites, type Action } from '../activity/log.ts';
import { settle } from '../cassandra/settle.ts';
import { batch, bind, page } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { untilShown } from '../context/shown.ts';
import { recordEvent } from '../events/operations.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { beginJob, doJobsOf } from '../jobs/operations.ts';
import { idInput, subjectOf, uuidOf } from '../graphql/ids.ts';
import { readInput, shownInput } from '../graphql/inputs.ts';
import {
  listingsByListedAt,
  listingsByPrice,
  listingsOfBook,
  everyListingOfBook,
  everyListingOfSeller,
  listingStates,
  selectOfSeller,
  type ListingState,
} from './tables.ts';
import { aggregate, isTombstone, type Content, versionAfter } from '../aggregates/aggregate.ts';
import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import { UserError } from '../graphql/errors.ts';
import type { ItemCondition } from '../graphql/schema.generated.ts';
import { charactersIn } from '../text/text.ts';
import { mustSellIn } from './currency.ts';
import { digitsOf } from './iso-4217.ts';
import { type Money, parseAmount } from './money.ts';
import {
  copiesCalledAsTheirBook,
  isMade,
  itemAfterChange,
  partitionOfCopy,
  shownItem,
  titleOf,
  type Item,
} from './operations.ts';

const listingKey = z.strictObject({ itemId: z.uuid(), sellerId: z.uuid() });

const TITLE_LENGTH_MAX = 500;
const KEY_LENGTH_MAX = 200;

const NOT_TAKEN_DOWN = { title_taken_down_at: null, title_taken_down_by: null, title_taken_down_reason: null };

const wrong = (path: readonly string[], message: string) => new UserError('INVALID_INPUT', message, ['input', ...path]);

/** A price as it is stored. */
const priceInput = ({ amount, currency }: Money): { amount_e4: bigint; currency: string } => {
  const read = readInput({ amount: () => amountInput(amount, currency), currency: () => currencyInput(currency) });
  return { amount_e4: read.amount, currency: read.currency };
};

function amountInput(text: string, currency: string): bigint {
  // A code that is no currency has no digits that could be too many.
  const amount = parseAmount(text, digitsOf(currency) ?? Infinity);
  if (amount !== undefined && amount > 0n) return amount;

  const digits = digitsOf(currency) ?? 2;
  const behind = digits === 0 ? 'no digits' : `at most ${String(digits)} digits`;
  const example = digits === 0 ? '12' : `12.${'5'.padEnd(digits, '0')}`;
  const message = `A price is a plain decimal above 0 with ${behind} behind the point, such as ${example}.`;
  throw wrong(['price', 'amount'], message);
}

function currencyInput(currency: string): string {
  if (digitsOf(currency) !== undefined) return currency;
  throw wrong(['price', 'currency'], 'This is not the code of a currency; send one of ISO 4217, such as EUR.');
}

const titleInput = (title: string) => shownInput(['title'], 'A title', title, TITLE_LENGTH_MAX);

/** The id of a copy: of the same key of the same seller always the same one. */
function newItemId(context: RequestContext, sellerId: string, idempotencyKey: string | null | undefined): string {
  if (idempotencyKey == null) return context.randomId();
  if (idempotencyKey === '' || charactersIn(idempotencyKey) > KEY_LENGTH_MAX)
    throw wrong(['idempotencyKey'], `A key has 1 to ${String(KEY_LENGTH_MAX)} characters (Unicode code points).`);
  return uuidOf(`item ${sellerId} ${idempotencyKey}`);
}

function itemIdInput(id: string): string {
  const { type, key } = idInput('itemId', id);
  if (type !== 'Item') throw wrong(['itemId'], `This is the id of a ${type}, not of a copy.`);
  return key;
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
  const viewer = await requireViewer(context);
  const { bookId, price, ownTitle, itemId } = readInput({
    bookId: () => bookIdInput(input.bookId),
    price: () => priceInput(input.price),
    ownTitle: () => (input.title == null ? null : titleInput(input.title)),
    itemId: () => newItemId(context, viewer.id, input.idempotencyKey),
  });
  const book = await requireBook(context, bookId);
  await mustSellIn(context, viewer.id, price.currency);

  const listed = { seller_id: viewer.id, book_id: book.id, own_title: ownTitle, condition: input.condition };
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
 * The viewer changes the price of a copy of theirs.
 * @throws {UserError} `INVALID_INPUT` about what cannot be used, `NOT_FOUND` and `FORBIDDEN` about `itemId`
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
      throw wrong(['price', 'currency'], `This copy is sold in ${state.currency}; name its price in that.`);
    }
    if (state.status !== 'FOR_SALE') throw wrong(['itemId'], 'This copy is not for sale any more.');
    if (state.amount_e4 === amount_e4) return undefined;
    return { ...state, amount_e4, priced_at: at, former_amount_e4: state.amount_e4 };
  });
}

/**
 * The viewer takes a copy of theirs off the market; one that is off it stays as it is.
 * @throws {UserError} `INVALID_INPUT`, `NOT_FOUND` and `FORBIDDEN` about `itemId`
 */
export const withdrawItem = (context: RequestContext, input: { itemId: string }) =>
  endListing(context, input.itemId, 'WITHDRAWN');

/**
 * The viewer has sold a copy of theirs.
 * @throws {UserError} `INVALID_INPUT` (also for one that was withdrawn), `NOT_FOUND` and `FORBIDDEN`, about `itemId`
 */
export const markAsSold = (context: RequestContext, input: { itemId: string }) =>
  endListing(context, input.itemId, 'SOLD');

async function endListing(context: RequestContext, id: string, status: 'SOLD' | 'WITHDRAWN') {
  const viewer = await requireViewer(context);
  return changeListing(context, viewer, itemIdInput(id), (state, at) => {
    if (state.status === status) return undefined;
    if (state.status !== 'FOR_SALE') throw wrong(['itemId'], 'This copy is not for sale any more.');
    return { ...state, status, ended_at: at };
  });
}

/** Takes a copy of the viewer's from one state to the next. */
async function changeListing(
  context: RequestContext,
  viewer: Account,
  itemId: string,
  next: (state: ListingState, at: Date) => Content<ListingState> | undefined,
): Promise<{ item: Item; viewer: Account }> {
  const key = { itemId, sellerId: viewer.id };

  const expected = await listings.read(context, key);
  // Only callers who see a copy learn that somebody sells it.
  const isHidden = expected?.seller_id !== viewer.id && (await shownItem(context, itemId)) === null;
  if (isHidden) throw noCopy();
  mustBeOf(viewer.id, expected);
  await listings.change(context, key, expected, (state, at) => {
    mustBeOf(viewer.id, state);
    return next(state, at);
  });

  return { item: await itemAfterChange(context, itemId), viewer };
}

/**
 * Takes the title down that its seller gave a copy, so that it is called as its book.
 * @returns `changed`: false when it is called so already
 */
export async function takeTitleDown(
  context: RequestContext,
  { id: itemId, sellerId }: Item & { readonly sellerId: string },
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<{ item: Item; changed: boolean }> {
  const key = { itemId, sellerId };

  const expected = await listings.read(context, key);
  const { changed } = await listings.change(context, key, expected, (state, at) => {
    if (!state?.seller_id || state.own_title === null) return undefined;
    const decided = { title_taken_down_at: at, title_taken_down_by: by, title_taken_down_reason: reason };
    return { ...state, own_title: null, ...decided };
  });
  await doJobsOf(context, { type: 'Item', key: itemId });
  await untilShown(context);

  return { item: await itemAfterChange(context, itemId), changed };
}

const noCopy = () => new UserError('NOT_FOUND', 'No copy has this id.', ['input', 'itemId']);

function mustBeOf(sellerId: string, state: ListingState | undefined): asserts state is ListingState {
  if (!state || !isMade(state)) throw noCopy();
  if (state.seller_id !== sellerId)
    throw new UserError('FORBIDDEN', 'This copy is somebody else’s.', ['input', 'itemId']);
}

/** The source of truth for what a copy costs and whether it is for sale, and what is projected from it. */
export const listings = aggregate({
  name: 'listing',
  key: listingKey,
  table: listingStates,
  rowKey: ({ itemId }) => ({ item_id: itemId }),
  tombstone: {
    seller_id: null,
    book_id: '',
    own_title: null,
    condition: 'POOR',
    amount_e4: 0n,
    currency: '',
    status: 'WITHDRAWN',
    listed_at: new Date(0),
    ended_at: null,
    priced_at: new Date(0),
    former_amount_e4: null,
    withheld: false,
    ...NOT_TAKEN_DOWN,
  },
  owner: (app, { sellerId }) => accountNow(app, sellerId),
  erase: (app, { itemId }) => forgetListing(app, itemId),
  // The new state knows only the price before: the lists must have left those before that one.
  forgets: () => true,
  projections: (app, { itemId, sellerId }, state, _owner, { occasion }) => {
    if (state.seller_id === null) return [];
    const { book_id, amount_e4, former_amount_e4, listed_at, status, ended_at, priced_at } = state;
    const version = BigInt(state.version);
    const row = { seller_id: sellerId, listed_at, item_id: itemId, version };
    const byBook = { book_id, listed_at, item_id: itemId, version };
    const formerPrice =
      former_amount_e4 !== null && former_amount_e4 !== amount_e4
        ? [bind(listingsByPrice.delete, { ...row, amount_e4: former_amount_e4 })]
        : [];
    const subject = subjectOf({ type: 'Item', key: itemId });
    const actions: Action[] = [{ kind: 'LISTED', at: listed_at, subject }];
    if (former_amount_e4 !== null) actions.push({ kind: 'PRICE_CHANGED', at: priced_at, subject });
    if (ended_at) actions.push({ kind: status === 'SOLD' ? 'SOLD' : 'WITHDRAWN', at: ended_at, subject });
    const sale = {
      kind: 'SALE',
      subject: subjectOf({ type: 'Book', key: book_id }),
      id: itemId,
      happened: true,
    } as const;
    const copies = () =>
      batch(app.cassandra, [
        bind(everyListingOfBook.insert, { ...partitionOfCopy(book_id, itemId), item_id: itemId, version }),
        bind(everyListingOfSeller.insert, { seller_id: sellerId, item_id: itemId, version }),
        ...actionWrites(sellerId, actions),
      ]);
    const lists = async () => {
      // A job of the account that does not find this copy among the seller's was begun before.
      const seller = await accountNow(app, sellerId);
      if (!seller) return forgetListing(app, itemId);
      const isListed = status === 'FOR_SALE' && !seller.isSuspended;
      const title = isListed ? await titleOf(app, state) : undefined;
      const [price, listed, ofBook] =
        title === undefined
          ? [
              bind(listingsByPrice.delete, { ...row, amount_e4 }),
              bind(listingsByListedAt.delete, row),
              bind(listingsOfBook.delete, byBook),
            ]
          : [
              bind(listingsByPrice.insert, { ...row, amount_e4, title }),
              bind(listingsByListedAt.insert, { ...row, amount_e4, title }),
              bind(listingsOfBook.insert, { ...byBook, title, seller_id: sellerId }),
            ];
      // One partition: the old price goes and the new one comes in one mutation.
      await Promise.all([batch(app.cassandra, [price, ...formerPrice]), batch(app.cassandra, [listed, ofBook])]);
      if (state.withheld !== seller.isSuspended) await withholdListing(app, itemId);
    };
    const event = ended_at && (() => recordEvent(app, { ...sale, at: ended_at, version: state.version }));
    const decision = () => recordTakeDown(app, itemId, sellerId, state);
    const job = () => beginJob(app, { type: 'Item', key: itemId }, 'RETITLE_COPY', 'taken down', state.changed_at);
    const isTakenDown = state.title_taken_down_at !== null;
    // Only by the change itself: what follows later finds the likes as they should be.
    const isNew = occasion !== 'REPAIR' && state.title_taken_down_at?.getTime() === state.changed_at.getTime();
    return [
      {
        copies,
        ...(isTakenDown && { decision }),
        ...(status === 'SOLD' && event && { event }),
      },
      // The title is read among the book's copies already: a new one that does not find this copy there was decided before.
      { lists },
      // Behind the state and the lists, which the likes are named after.
      ...(isNew ? [{ job }] : []),
    ];
  },
});

/** Records that an administrator took a copy's title down. */
async function recordTakeDown(app: AppContext, itemId: string, sellerId: string, state: ListingState): Promise<void> {
  const { title_taken_down_at: at, title_taken_down_by: by, title_taken_down_reason: reason } = state;
  if (!at || !by) return;
  const decision = { kind: 'TITLE_TAKEN_DOWN', at, administratorId: by, reason: reason ?? '' } as const;
  await recordDecisionFor(app, { type: 'Item', key: itemId }, sellerId, decision);
}

/**
 * Withdraws a copy of a seller whose account is deleted, and forgets whose it was; the likes of it keep its title.
 * May be repeated at any time.
 */
export async function forgetListing(app: AppContext, itemId: string): Promise<void> {
  for (;;) {
    const state = await listingStates.read(app.cassandra, { item_id: itemId });
    if (!state || isTombstone(state)) return;
    const { book_id, listed_at } = state;
    if (state.seller_id === null) {
      const version = BigInt(state.version);
      return batch(app.cassandra, [
        bind(listingsOfBook.delete, { book_id, listed_at, item_id: itemId, version }),
        // Whoever listed it may have died before it was among the copies of its book, where it stays.
        bind(everyListingOfBook.insert, { ...partitionOfCopy(book_id, itemId), item_id: itemId, version }),
      ]);
    }

    // Whoever is mistaken about whose it is forgets nothing.
    if (await accountNow(app, state.seller_id)) return;

    const now = app.clock();
    const ended = state.status === 'FOR_SALE' ? ({ status: 'WITHDRAWN', ended_at: now } as const) : {};
    const forgotten = { ...state, ...ended, ...versionAfter(app, state, now), seller_id: null };
    await settle(app.cassandra, () =>
      listingStates.compareAndSet(app.cassandra, { item_id: itemId }, state, forgotten),
    );
  }
}

/** Hides a copy whose seller is suspended, or shows it again. */
async function withholdListing(app: AppContext, itemId: string): Promise<void> {
  for (;;) {
    const state = await listingStates.read(app.cassandra, { item_id: itemId });
    if (!state?.seller_id) return;
    // Read after the state: whoever changes the account meanwhile changes the state next, and this condition fails.
    const seller = await accountNow(app, state.seller_id);
    if (!seller || seller.isSuspended === state.withheld) return;

    const next = { ...state, ...versionAfter(app, state, app.clock()), withheld: seller.isSuspended };
    await settle(app.cassandra, () => listingStates.compareAndSet(app.cassandra, { item_id: itemId }, state, next));
  }
}

/**
 * Writes what a seller's account says of them, as it is now, into a page of their copies and the lists of these.
 * @returns where the page ended, `undefined` when all are done
 */
export async function projectSomeCopies(app: AppContext, sellerId: string, after: string): Promise<string | undefined> {
  const some = await page(app.cassandra, selectOfSeller, { seller_id: sellerId }, after);
  await pLimit(COPIES_AT_ONCE).map(some.rows, ({ item_id }) => listings.repair(app, { itemId: item_id, sellerId }));
  return some.pageState;
}

const COPIES_PER_PAGE = 100;
const COPIES_AT_ONCE = 16;

/**
 * Writes a book's title, as it is now, into the lists that a page of its copies for sale are in.
 * @returns where the page ended, `undefined` when all are done
 */
export async function retitleSomeCopies(app: AppContext, bookId: string, after: string): Promise<string | undefined> {
  const { copies, next } = await copiesCalledAsTheirBook(app, bookId, after, COPIES_PER_PAGE);
  await pLimit(COPIES_AT_ONCE).map(copies, async ({ itemId, state: { status, seller_id } }) => {
    if (status === 'FOR_SALE' && seller_id !== null) await listings.repair(app, { itemId, sellerId: seller_id });
  });
  return next;
}
