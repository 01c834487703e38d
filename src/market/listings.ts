import type { User } from '../identity/operations.ts';
import { andThen } from '../cassandra/maybe-promise.ts';
import { hiddenReaders, canSeeReader } from '../identity/privacy.ts';
import type { ListedBook } from '../catalogue/book.ts';
import {
  connection,
  cursorIn,
  EMPTY_PAGE,
  type CountedConnection,
  type PageArguments,
  type Cursor,
} from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { nameKey } from '../catalogue/name-key.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { ListingOrder } from '../graphql/generated/schema-types.ts';
import { requireOrderedRange, type TimeRange } from '../time/ranges.ts';
import { beginningOf } from '../text/text.ts';
import { digitsOf } from './iso-4217.ts';
import { itemLoader } from './loaders.ts';
import { parseLimit } from './money.ts';
import { bandOf, bandsOf, EVERY_GENRE, listingMonthOf, listingMonths } from './orders.ts';
import type { Item } from './operations.ts';
import { copiesByListedAt, copiesByPrice, listingsByListedAt, listingsByPrice, listingsOfBook } from './tables.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';

/** A filter for a seller's copies. */
export interface ListingFilter {
  readonly orderBy: ListingOrder;
  /** A range that includes both ends, in the seller's currency. */
  readonly priceBetween?: { readonly min?: string | null; readonly max?: string | null } | null;
  readonly listedBetween?: TimeRange | null;
}

/** A copy in a list. */
export interface ItemEdge {
  readonly cursor: Cursor;
  readonly itemId: string;
  readonly listedAt: Date;
  /** The title in the list's own row. */
  readonly title: string;
}

/** A page of copies. */
export type ItemConnection = CountedConnection<ItemEdge>;

/** A range of prices that includes both ends. An unset end is open. */
interface Prices {
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
}

/** The columns that all lists of copies have. */
interface ListedRow {
  readonly listed_at: Date;
  readonly item_id: string;
  readonly title: string;
}

interface ListingRow extends ListedRow {
  readonly amount_e4: bigint;
}

/**
 * Returns a page of a seller's copies for sale; empty for a caller who may not see the seller.
 * @throws `BAD_USER_INPUT` when a range or the paging arguments cannot be used
 */
export async function listingsOf(
  context: RequestContext,
  seller: User,
  filter: ListingFilter,
  page: PageArguments,
): Promise<ItemConnection> {
  const { from, to } = filter.listedBetween ?? {};
  requireOrderedRange({ from, to }, 'listedBetween');
  const { min, max } = pricesOf(filter);
  if (!(await canSeeReader(context, seller.id))) return EMPTY_PAGE;
  const prices = { from: min, to: max === undefined ? undefined : max + 1n };
  const isWithinDates = ({ listed_at }: ListingRow) => (!from || listed_at >= from) && (!to || listed_at < to);
  const isWithinPrices = ({ amount_e4: amount }: ListingRow) =>
    (min === undefined || amount >= min) && (max === undefined || amount <= max);
  const shared = {
    name: listingsName(seller.id, filter.orderBy, { min, max }, { from, to }),
    descending: filter.orderBy !== 'PRICE',
  };
  const narrowedBy = (isNarrowed: boolean, keep: (item: ListingRow) => boolean) =>
    isNarrowed ? { keep, rowsMin: FILTERED_ROWS_MIN } : undefined;
  const key = { seller_id: seller.id };
  if (filter.orderBy === 'LISTED_AT') {
    const list = listingsByListedAt.list(context.cassandra, key, { within: { from, to } });
    const narrowed = narrowedBy(min !== undefined || max !== undefined, isWithinPrices);
    return connection(page, { ...list, ...shared, filter: narrowed }, edgeOf);
  }
  const list = listingsByPrice.list(context.cassandra, key, { within: prices });
  return connection(page, { ...list, ...shared, filter: narrowedBy(Boolean(from ?? to), isWithinDates) }, edgeOf);
}

const listingsName = (
  sellerId: string,
  orderBy: ListingOrder,
  { min, max }: Partial<Prices> = {},
  { from, to }: TimeRange = {},
) => `listings ${orderBy} ${sellerId} ${min ?? ''} ${max ?? ''} ${from?.getTime() ?? ''} ${to?.getTime() ?? ''}`;

/** Returns the edge of a copy in its seller's list after a change; null if it is not for sale. */
export async function listingEdgeOf(
  context: RequestContext,
  { id, title, status }: Item,
  orderBy: ListingOrder,
): Promise<ItemEdge | null> {
  const state = (await itemLoader(context).load(id))?.state;
  if (status !== 'FOR_SALE' || !state?.seller_id) return null;

  const { amount_e4, listed_at } = state;
  const row = { amount_e4, listed_at, item_id: id, title };
  const list = orderBy === 'LISTED_AT' ? listingsByListedAt : listingsByPrice;
  return edgeOf(row, cursorIn({ ...list, name: listingsName(state.seller_id, orderBy) }, row));
}

function pricesOf({ priceBetween }: ListingFilter): Prices {
  if (!priceBetween) return { min: undefined, max: undefined };
  const limit = (name: 'min' | 'max', round: 'UP' | 'DOWN') => {
    const text = priceBetween[name];
    if (text == null) return undefined;
    const amount = parseLimit(text, round);
    if (amount === undefined)
      throw badUserInput(`The argument "priceBetween": "${name}" is not a plain decimal, such as 12.50.`);
    return amount;
  };
  const prices = { min: limit('min', 'UP'), max: limit('max', 'DOWN') };
  const { min, max } = priceBetween;
  const isReversed = min != null && max != null && Number(min) > Number(max);
  if (isReversed) throw badUserInput('The argument "priceBetween": "min" must not be above "max".');
  return prices;
}

const edgeOf = ({ item_id, listed_at, title }: ListedRow, cursor: Cursor): ItemEdge => ({
  cursor,
  itemId: item_id,
  listedAt: listed_at,
  title,
});

/**
 * Returns a page of a book's copies for sale, last listed first. Copies of sellers whom the caller
 * may not see are left out.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function copiesOf(
  context: RequestContext,
  book: ListedBook,
  page: PageArguments,
): Promise<ItemConnection> {
  const list = {
    ...listingsOfBook.list(context.cassandra, { book_id: book.id }),
    name: `copies ${book.id}`,
    descending: true,
    filter: ofShownSellers(context),
  };
  return connection(page, list, edgeOf);
}

/** Leaves out copies of sellers whom the caller may not see. Call it before the copies are read. */
function ofShownSellers(context: RequestContext) {
  const hidden = hiddenReaders(context);
  const keep = ({ seller_id }: { readonly seller_id: string }) =>
    andThen(hidden.has(seller_id), (isHidden) => !isHidden);
  return { keep, rowsMin: 0 };
}

/** A choice among all copies for sale. */
interface CopyChoice {
  readonly genre?: string | null;
  readonly orderBy: ListingOrder;
  /** The currency of an order by price. */
  readonly currency?: string | null;
}

/**
 * Returns a page of all copies for sale, or of those of a genre. Copies of sellers whom the caller
 * may not see are left out.
 * @throws `BAD_USER_INPUT` when an argument cannot be used
 */
export async function allCopies(
  context: RequestContext,
  { genre: name, orderBy, currency }: CopyChoice,
  page: PageArguments,
): Promise<ItemConnection> {
  const genre = name == null ? EVERY_GENRE : genreArgument(name);
  const shared = { descending: orderBy !== 'PRICE', filter: ofShownSellers(context) };
  if (orderBy === 'LISTED_AT') {
    if (currency != null) throw badUserInput('The argument "currency" is for an order by price; leave it out.');
    const buckets = { column: 'month', values: listingMonths(context.clock()), of: listingMonthOf } as const;
    const list = copiesByListedAt.list(context.cassandra, { genre }, { buckets });
    return connection(page, { ...list, ...shared, name: `all copies ${genre}` }, edgeOf);
  }

  const digits = currency == null ? undefined : digitsOf(currency);
  if (currency == null || digits === undefined) {
    throw badUserInput(
      'An order by price needs the argument "currency", a code of ISO 4217 such as EUR, because prices in ' +
        'different currencies cannot be compared.',
    );
  }
  const buckets = { column: 'band', values: bandsOf(digits), of: bandOf } as const;
  const list = copiesByPrice.list(context.cassandra, { genre, currency }, { buckets });
  return connection(page, { ...list, ...shared, name: `all copies ${orderBy} ${currency} ${genre}` }, edgeOf);
}

/** The maximum length of the part of a genre that is read, in code points. Names are shorter. */
const GENRE_READ_MAX = 200;

function genreArgument(name: string): string {
  const genre = nameKey(beginningOf(name, GENRE_READ_MAX));
  if (genre === EVERY_GENRE) throw badUserInput('The argument "genre" has no letter or digit.');
  return genre;
}
