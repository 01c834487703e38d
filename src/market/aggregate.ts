import pLimit from 'p-limit';
import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { actionWrites, priceText, type Action } from '../activity/log.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { isTombstone } from '../aggregates/state.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { pageOfShards, shardOf } from '../cassandra/shards.ts';
import { batch, page, rows } from '../cassandra/statement.ts';
import { bookNow, booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import { recordEvent, type LibraryEvent } from '../events/operations.ts';
import { subjectOf } from '../graphql/ids.ts';
import { accountNow } from '../identity/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { priceOf } from './money.ts';
import {
  listingsByListedAt,
  listingsByPrice,
  listingsOfBook,
  everyListingOfBook,
  everyListingOfSeller,
  listingStates,
  selectListings,
  selectOfSeller,
  type ListingState,
} from './tables.ts';

/** The kind of a copy for sale: its key, its states and their projections. */

const listingKey = z.strictObject({ itemId: uuid, sellerId: uuid });
type ListingKey = z.infer<typeof listingKey>;

export const NOT_TAKEN_DOWN = { title_taken_down_at: null, title_taken_down_by: null, title_taken_down_reason: null };

/**
 * Returns the row of a copy in the lists of copies for sale; none if it is not for sale or is
 * withheld.
 * @param title the title of the copy; `undefined` if it is not needed
 */
function rowsForSale({ itemId }: ListingKey, state: ListingState, title: string | undefined) {
  const { seller_id, book_id, listed_at, amount_e4, status, withheld } = state;
  if (seller_id === null || status !== 'FOR_SALE' || withheld || title === undefined) return [];
  return [{ seller_id, book_id, listed_at, amount_e4, item_id: itemId, title }];
}

/** The places of a copy in the lists of copies for sale. */
const placesOf = ({ itemId, sellerId }: ListingKey, { book_id, listed_at, amount_e4 }: ListingState) => ({
  seller_id: sellerId,
  book_id,
  listed_at,
  amount_e4,
  item_id: itemId,
});

const forSale = {
  rowsOf: rowsForSale,
  formerKeysOf: (key: ListingKey, state: ListingState) => [placesOf(key, state)],
};
const readerOf = ({ seller_id }: { readonly seller_id: string }) => seller_id;

const byPrice = projectedList(listingsByPrice, {
  ...forSale,
  formerKeysOf: (key, state) =>
    [state.amount_e4, state.former_amount_e4 ?? state.amount_e4].map((amount_e4) => ({
      ...placesOf(key, state),
      amount_e4,
    })),
  readerOf,
});
const byListedAt = projectedList(listingsByListedAt, { ...forSale, readerOf });
const ofBook = projectedList(listingsOfBook, { ...forSale, readerOf });

const ofSeller = projectedList(everyListingOfSeller, {
  rowsOf: ({ itemId }: ListingKey, { seller_id }: ListingState) =>
    seller_id === null ? [] : [{ seller_id, item_id: itemId }],
  readerOf,
});
const everyOne = projectedList(everyListingOfBook, {
  rowsOf: ({ itemId }: ListingKey, state: ListingState) =>
    isMade(state) ? [{ ...partitionOfCopy(state.book_id, itemId), item_id: itemId }] : [],
});

/** The lists of copies for sale, and those of all copies. */
export const listsOfCopies = [byPrice, byListedAt, ofBook, ofSeller, everyOne];

/** The source of truth for the price of a copy and whether it is for sale, and its projections. */
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
  projectionContext: (app, { sellerId }) => accountNow(app, sellerId),
  erase: forgetListing,
  // A state has only one former price, so the lists must not have an older one.
  needsFormerProjection: () => true,
  projections: (app, key, state, _owner, { occasion }) => {
    if (state.seller_id === null) return [];
    const { status, ended_at, title_taken_down_at: takenDownAt, changed_at } = state;
    const copy = { type: 'Item', key: key.itemId } as const;

    const event = async () => ended_at && recordEvent(app, saleOf(key, state, ended_at));
    const decision = () =>
      recordDecisionFor(app, copy, key.sellerId, {
        kind: 'TITLE_TAKEN_DOWN',
        at: takenDownAt,
        by: state.title_taken_down_by,
        reason: state.title_taken_down_reason,
      });
    const job = () => beginJob(app, copy, 'RETITLE_COPY', 'taken down', changed_at);
    // Only the change itself begins the job. At later projections the likes are already updated.
    const isTakenDownNow = occasion !== 'REPAIR' && takenDownAt?.getTime() === changed_at.getTime();

    return [
      {
        copies: () => writeCopy(app, key, state),
        ...(takenDownAt && { decision }),
        ...(status === 'SOLD' && ended_at && { event }),
      },
      // The copy is already among the book's copies. A retitling job that does not find the copy is
      // older than this read of the title.
      { lists: () => writeLists(app, key, state) },
      // The job runs after the state and the lists are written, because it reads the title for the
      // likes from them.
      ...(isTakenDownNow ? [{ job }] : []),
    ];
  },
});

/** Writes a copy to all copies of its book and of its seller, and its actions to the log. */
function writeCopy(app: AppContext, key: ListingKey, state: ListingState): Promise<void> {
  const { former_amount_e4, listed_at, status, ended_at, priced_at } = state;
  const subject = subjectOf({ type: 'Item', key: key.itemId });

  // The log already has the first price when a copy gets another one.
  const priced =
    former_amount_e4 === null
      ? ({ kind: 'LISTED', at: listed_at } as const)
      : ({ kind: 'PRICE_CHANGED', at: priced_at } as const);
  const actions: Action[] = [{ ...priced, subject, element: priceText(priceOf(state)) }];
  if (ended_at) actions.push({ kind: status === 'SOLD' ? 'SOLD' : 'WITHDRAWN', at: ended_at, subject });

  return batch(app.cassandra, [
    ...everyOne.writes(key, state, undefined),
    ...ofSeller.writes(key, state, undefined),
    ...actionWrites(key.sellerId, actions),
  ]);
}

/** Writes a copy to the lists of copies for sale, or removes it there. */
async function writeLists(app: AppContext, key: ListingKey, state: ListingState): Promise<void> {
  // The account is read after the copy is among the seller's copies. A job of the account that does
  // not find the copy has begun before this read.
  const seller = await accountNow(app, key.sellerId);
  if (!seller) return forgetListing(app, key);

  const now = { ...state, withheld: seller.isSuspended };
  const title = now.status === 'FOR_SALE' && !now.withheld ? await titleOf(app, now) : undefined;
  // Both prices are in one partition, so one mutation replaces the old one.
  const ofPartitions = [[byPrice], [byListedAt, ofBook]].map((lists) =>
    lists.flatMap((list) => list.writes(key, now, title)),
  );
  await Promise.all(ofPartitions.map((writes) => batch(app.cassandra, writes)));

  if (state.withheld !== seller.isSuspended) await withholdListing(app, key);
}

const saleOf = ({ itemId }: ListingKey, { book_id, version }: ListingState, at: Date): LibraryEvent => ({
  kind: 'SALE',
  subject: subjectOf({ type: 'Book', key: book_id }),
  at,
  id: itemId,
  version,
  happened: true,
});

/** True for a copy that was listed; false if there was only an attempt to list it. */
export const isMade = ({ book_id }: ListingState) => book_id !== '';

/** Reads the titles of some copies; `undefined` for a mere attempt to list a copy. */
export async function titlesOf(
  app: AppContext,
  found: readonly { readonly state: ListingState }[],
): Promise<(string | undefined)[]> {
  const books = await booksNow(
    app,
    found.flatMap(({ state }) => (isMade(state) ? [state.book_id] : [])),
  );
  return found.map(({ state }) => state.own_title ?? books.get(state.book_id)?.title);
}

/** The title of a copy: the seller's own, else the current title of its book. */
export const titleOf = async (app: AppContext, { own_title, book_id }: ListingState): Promise<string> =>
  own_title ?? (await bookNow(app, book_id)).title;

/** The number of partitions of a book's copies, listed now or before. */
const COPY_SHARDS = 16;

/** The partition of a copy among all copies of its book, listed now or before. */
const partitionOfCopy = (bookId: string, itemId: string) => ({
  book_id: bookId,
  shard: shardOf(itemId, COPY_SHARDS),
});

/**
 * Reads a page of all copies of a book, listed now or before.
 * @param after the end of the former page, '' at first
 * @returns the copies without their own title; `next`: the end of the page, `undefined` after the
 * last one
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

/**
 * Withdraws a copy of a deleted account and removes the seller. Likes of it keep its title. It can
 * be repeated at any time.
 */
export async function forgetListing(app: AppContext, key: ListingKey): Promise<void> {
  const state = await listings.amend(app, key, async (former, at) => {
    // The account may not be deleted, if the caller was wrong about the seller.
    if (former.seller_id === null || (await accountNow(app, former.seller_id))) return undefined;
    const ended = former.status === 'FOR_SALE' ? ({ status: 'WITHDRAWN', ended_at: at } as const) : {};
    return { ...former, ...ended, seller_id: null };
  });
  if (!state || isTombstone(state) || state.seller_id !== null) return;

  await batch(app.cassandra, [
    ...ofBook.writes(key, state, undefined),
    // The server that listed it may have died before it wrote this row, which is never deleted.
    ...everyOne.writes(key, state, undefined),
  ]);
}

/** Hides a copy whose seller is suspended, or shows it again. */
async function withholdListing(app: AppContext, key: ListingKey): Promise<void> {
  await listings.amend(app, key, async (state) => {
    if (state.seller_id === null) return undefined;
    // The account is read after the state. A later change of the account changes the state, and
    // the condition of this change fails.
    const seller = await accountNow(app, state.seller_id);
    if (!seller || seller.isSuspended === state.withheld) return undefined;
    return { ...state, withheld: seller.isSuspended };
  });
}

/**
 * Writes a seller's current account into a page of their copies and the lists of these.
 * @returns the end of the page, `undefined` when all are done
 */
export async function projectSomeCopies(app: AppContext, sellerId: string, after: string): Promise<string | undefined> {
  const some = await page(app.cassandra, selectOfSeller, { seller_id: sellerId }, after);
  await pLimit(COPIES_AT_ONCE).map(some.rows, ({ item_id }) => listings.repair(app, { itemId: item_id, sellerId }));
  return some.pageState;
}

const COPIES_PER_PAGE = 100;
const COPIES_AT_ONCE = 16;

/**
 * Writes a book's current title into the lists of a page of its copies for sale.
 * @returns the end of the page, `undefined` when all are done
 */
export async function retitleSomeCopies(app: AppContext, bookId: string, after: string): Promise<string | undefined> {
  const { copies, next } = await copiesCalledAsTheirBook(app, bookId, after, COPIES_PER_PAGE);
  await pLimit(COPIES_AT_ONCE).map(copies, async ({ itemId, state: { status, seller_id } }) => {
    if (status === 'FOR_SALE' && seller_id !== null) await listings.repair(app, { itemId, sellerId: seller_id });
  });
  return next;
}
