import pLimit from 'p-limit';
import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { actionWrites, priceText, type Action } from '../activity/log.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { isTombstone } from '../aggregates/state.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { inBatches } from '../cassandra/batches.ts';
import { HIGHEST_TOKEN, LOWEST_TOKEN } from '../cassandra/ring.ts';
import { pageOfShards, shardOf } from '../cassandra/shards.ts';
import { batch, page, rows, type Bound } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { nameKey } from '../catalogue/name-key.ts';
import { bookNow, booksNow } from '../catalogue/operations.ts';
import { announcedLikes } from '../changes/operations.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { recordEvent, type LibraryEvent } from '../events/operations.ts';
import { subjectOf } from '../graphql/ids.ts';
import { accountNow } from '../identity/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { priceOf } from './money.ts';
import { bandOf, EVERY_GENRE, listingMonthOf } from './orders.ts';
import {
  listingsByListedAt,
  listingsByPrice,
  listingsOfBook,
  copiesByListedAt,
  copiesByPrice,
  everyListingOfBook,
  everyListingOfSeller,
  listingStates,
  scanListings,
  selectListings,
  selectOfSeller,
  type ListingState,
} from './tables.ts';

/** The kind of a copy for sale: its key, its states and their projections. */

const listingKey = z.strictObject({ itemId: uuid, sellerId: uuid });
type ListingKey = z.infer<typeof listingKey>;

export const NOT_TAKEN_DOWN = { title_taken_down_at: null, title_taken_down_by: null, title_taken_down_reason: null };

/** The data of a book that the rows of its copies take. */
interface Described {
  readonly title: string;
  /** The keys of the genres. */
  readonly genres: readonly string[];
}

/**
 * Returns the row of a copy in the lists of copies for sale; none if it is not for sale or is
 * withheld.
 * @param described `undefined` if it is not needed
 */
function rowsForSale({ itemId }: ListingKey, state: ListingState, described: Described | undefined) {
  const { seller_id, book_id, listed_at, amount_e4, status, withheld } = state;
  if (seller_id === null || status !== 'FOR_SALE' || withheld || described === undefined) return [];
  return [{ seller_id, book_id, listed_at, amount_e4, item_id: itemId, title: described.title }];
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

/** The places that a copy has, or had with its former price. */
const everyPlaceOf = (key: ListingKey, state: ListingState) =>
  [state.amount_e4, state.former_amount_e4 ?? state.amount_e4].map((amount_e4) => ({
    ...placesOf(key, state),
    amount_e4,
  }));

/** Returns the rows of a copy among all copies: those of every genre, and of its own genres. */
const inGenres = <Row extends { readonly amount_e4: bigint; readonly listed_at: Date }>(
  rows: readonly Row[],
  { currency }: ListingState,
  genres: readonly string[],
) =>
  rows.flatMap((row) =>
    [EVERY_GENRE, ...genres].map((genre) => ({
      ...row,
      genre,
      currency,
      band: bandOf(row),
      month: listingMonthOf(row),
    })),
  );

const amongAll = {
  rowsOf: (key: ListingKey, state: ListingState, described: Described | undefined) =>
    inGenres(rowsForSale(key, state, described), state, described?.genres ?? []),
  // The state names every genre that has a row of the copy.
  formerKeysOf: (key: ListingKey, state: ListingState) => inGenres(everyPlaceOf(key, state), state, state.genres),
};
const readerOf = ({ seller_id }: { readonly seller_id: string }) => seller_id;

const byPrice = projectedList(listingsByPrice, {
  ...forSale,
  formerKeysOf: everyPlaceOf,
  readerOf,
});
const byListedAt = projectedList(listingsByListedAt, { ...forSale, readerOf });
const ofBook = projectedList(listingsOfBook, { ...forSale, readerOf });
const allByListedAt = projectedList(copiesByListedAt, { ...amongAll, readerOf });
const allByPrice = projectedList(copiesByPrice, { ...amongAll, readerOf });

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
export const listsOfCopies = [byPrice, byListedAt, ofBook, allByListedAt, allByPrice, ofSeller, everyOne];

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
    place: null,
    genres: [],
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
async function writeLists(app: AppContext, key: ListingKey, decided: ListingState): Promise<void> {
  // The account is read after the copy is among the seller's copies. A job of the account that does
  // not find the copy has begun before this read.
  const seller = await accountNow(app, key.sellerId);
  if (!seller) return forgetListing(app, key);

  const isShown = decided.status === 'FOR_SALE' && !seller.isSuspended;
  const described = isShown ? await describe(app, decided) : undefined;
  const state = described ? await withGenres(app, key, decided, described.genres) : decided;
  const now = { ...state, withheld: seller.isSuspended };
  // Both prices of a seller are in one partition, so one mutation replaces the old one.
  const ofPartitions = [[byPrice], [byListedAt, ofBook]].map((lists) =>
    lists.flatMap((list) => list.writes(key, now, described)),
  );
  const amongAll = [allByPrice, allByListedAt].flatMap((list) => list.writes(key, now, described));
  // Subscribers to its likes are shown these no longer, or again.
  const isShownAnew = state.withheld !== seller.isSuspended;
  if (isShownAnew) ofPartitions.push([announcedLikes(app, { type: 'Item', key: key.itemId })]);
  await Promise.all([...ofPartitions, ...inBatches(amongAll, listOf)].map((writes) => batch(app.cassandra, writes)));

  if (described && state.genres.length > described.genres.length)
    await dropFormerGenres(app, key, state, described.genres);
  if (isShownAnew) await withholdListing(app, key);
}

/** The partition of a row among all copies. */
const listOf = ({ label, params }: Bound) =>
  `${label} ${String(params['genre'])} ${String(params['month'])} ${String(params['currency'])} ${String(params['band'])}`;

/**
 * Adds genres to those that a state names, before the copy gets rows in their lists. A later change
 * of the genres then finds these rows.
 * @returns the state now
 */
async function withGenres(
  app: AppContext,
  key: ListingKey,
  state: ListingState,
  genres: readonly string[],
): Promise<ListingState> {
  if (genres.every((genre) => state.genres.includes(genre))) return state;
  const named = await listings.amend(app, key, (now) => {
    const all = [...new Set([...now.genres, ...genres])];
    return Promise.resolve(now.seller_id === null ? undefined : { ...now, genres: all });
  });
  return named ?? state;
}

/** Removes genres without rows from a state, unless it has changed since the rows were deleted. */
const dropFormerGenres = (app: AppContext, key: ListingKey, { version }: ListingState, genres: readonly string[]) =>
  listings.amend(app, key, (now) =>
    Promise.resolve(now.version === version ? { ...now, genres: [...genres] } : undefined),
  );

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

/**
 * Reads what the rows of some copies take from their books; `undefined` for a mere attempt to list
 * a copy.
 */
export async function describedCopies(
  app: AppContext,
  found: readonly { readonly state: ListingState }[],
): Promise<(Described | undefined)[]> {
  const books = await booksNow(
    app,
    found.flatMap(({ state }) => (isMade(state) ? [state.book_id] : [])),
  );
  return found.map(({ state }) => {
    const book = books.get(state.book_id);
    return book && describedBy(state, book);
  });
}

const describe = async (app: AppContext, state: ListingState): Promise<Described> =>
  describedBy(state, await bookNow(app, state.book_id));

const describedBy = ({ own_title }: ListingState, book: Book): Described => ({
  title: own_title ?? book.title,
  genres: genreKeys(book),
});

/** The keys of a book's genres. */
export const genreKeys = ({ genres }: { readonly genres: readonly string[] }): string[] => [
  ...new Set(genres.map(nameKey).filter((key) => key !== EVERY_GENRE)),
];

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

/** A page of copies. */
interface CopyPage {
  readonly copies: { readonly itemId: string; readonly state: ListingState }[];
  /** The end of the page; `undefined` after the last one. */
  readonly next: string | undefined;
}

/**
 * Reads a page of all copies of a book, listed now or before.
 * @param after the end of the former page, '' at first
 */
async function copiesOfBook(
  { cassandra }: AppContext,
  bookId: string,
  after: string,
  limit: number,
): Promise<CopyPage> {
  const page = { shards: COPY_SHARDS, limit, after };
  const { rows: listed, next } = await pageOfShards(cassandra, everyListingOfBook, { book_id: bookId }, page);
  if (listed.length === 0) return { copies: [], next };
  const found = await rows(cassandra, selectListings, { item_ids: listed.map(({ item_id }) => item_id) });
  const copies = found.filter(({ state }) => isMade(state));
  return { copies: copies.map(({ item_id, state }) => ({ itemId: item_id, state })), next };
}

/** Reads those among a page of {@link copiesOfBook} that have no title of their own. */
export async function copiesCalledAsTheirBook(
  app: AppContext,
  bookId: string,
  after: string,
  limit: number,
): Promise<CopyPage> {
  const { copies, next } = await copiesOfBook(app, bookId, after, limit);
  return { copies: copies.filter(({ state }) => state.own_title === null), next };
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
    return { ...former, ...ended, seller_id: null, place: null };
  });
  if (!state || isTombstone(state) || state.seller_id !== null) return;

  await batch(app.cassandra, [
    ...[ofBook, allByListedAt, allByPrice].flatMap((list) => list.writes(key, state, undefined)),
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
  await repairForSale(app, copies);
  return next;
}

/**
 * Moves a page of a book's copies for sale to the lists of its current genres.
 * @returns the end of the page, `undefined` when all are done
 */
export async function moveSomeCopies(app: AppContext, bookId: string, after: string): Promise<string | undefined> {
  const genres = genreKeys(await bookNow(app, bookId));
  const { copies, next } = await copiesOfBook(app, bookId, after, COPIES_PER_PAGE);
  const isThere = ({ state }: { readonly state: ListingState }) =>
    state.genres.length === genres.length && genres.every((genre) => state.genres.includes(genre));
  await repairForSale(
    app,
    copies.filter((copy) => !isThere(copy)),
  );
  return next;
}

/** Writes copies of release 1.0.0 to the lists of all copies, for the migration `0011-market`. */
export const fillCopies: JobHandler = async (app, _migration, position) => {
  const ring = { above: LOWEST_TOKEN, up_to: HIGHEST_TOKEN };
  const { rows: found, pageState } = await page(app.cassandra, scanListings, ring, position);
  await repairForSale(
    app,
    found.map(({ item_id, state }) => ({ itemId: item_id, state })),
  );
  return pageState;
};

/** Projects the copies that are for sale among some. */
async function repairForSale(app: AppContext, copies: CopyPage['copies']): Promise<void> {
  await pLimit(COPIES_AT_ONCE).map(copies, async ({ itemId, state: { status, seller_id } }) => {
    if (status === 'FOR_SALE' && seller_id !== null) await listings.repair(app, { itemId, sellerId: seller_id });
  });
}
