import { z } from 'zod';
import type { User } from '../identity/operations.ts';
import { EARLIEST, everyRow, HIGHEST_UUID, LATEST, LOWEST_UUID, readWanted, type Slice } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/operations.ts';
import { connection, cursorMoment, onePartition, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { ListingOrder } from '../graphql/schema.generated.ts';
import type { TimeRange } from '../time/ranges.ts';
import { digitsOf, parseAmount } from './money.ts';
import { currencyOf } from './currency.ts';
import {
  selectByBookAscending,
  selectByBookDescending,
  selectByListedAtAscending,
  selectByListedAtDescending,
  selectByPriceAscending,
  selectByPriceDescending,
  selectItems,
  type ListedItem,
} from './tables.ts';

/** Which of a seller's copies are asked for. */
export interface ListingFilter {
  readonly orderBy: ListingOrder;
  /** Both included, in the seller's currency. */
  readonly priceBetween?: { readonly min?: string | null; readonly max?: string | null } | null;
  readonly listedBetween?: TimeRange | null;
}

/** A page of copies. */
export type ItemConnection = Connection<{ cursor: string; itemId: string; listedAt: Date }>;

const AMOUNT_MAX = 2n ** 63n - 1n;
/** Of the copies of a book, so many at once. */
const ROWS_PER_READ = 200;

interface Range {
  readonly min: bigint;
  readonly max: bigint;
  readonly from: Date;
  readonly to: Date;
}

interface PricePosition extends ListedPosition {
  /** As cursors can carry it. */
  readonly amount: string;
}

/** Where a copy is in a list by date. */
export interface ListedPosition {
  readonly listed_at: Date;
  readonly item_id: string;
}

/**
 * A page of a seller's copies for sale.
 * @throws `BAD_USER_INPUT` when a range or the paging arguments cannot be used
 */
export async function listingsOf(
  context: RequestContext,
  seller: User,
  filter: ListingFilter,
  page: PageArguments,
): Promise<ItemConnection> {
  const range = await rangeOf(context, seller.id, filter);
  const { min, max, from, to } = range;
  const name = `listings ${filter.orderBy} ${seller.id} ${String(min)} ${String(max)} ${String(from.getTime())} ${String(to.getTime())}`;
  return filter.orderBy === 'LISTED_AT'
    ? byListedAt(context, seller.id, name, range, page)
    : byPrice(context, seller.id, name, range, filter.orderBy === 'PRICE_DESC', page);
}

async function rangeOf(
  context: RequestContext,
  sellerId: string,
  { priceBetween, listedBetween }: ListingFilter,
): Promise<Range> {
  const { from, to } = listedBetween ?? {};
  if (from && to && from > to) throw badUserInput('The argument "listedBetween": "from" must not be after "to".');
  let [min, max] = [0n, AMOUNT_MAX];
  if (priceBetween) {
    const currency = await currencyOf(context, sellerId);
    const digits = currency === undefined ? 0 : digitsOf(currency);
    const limit = (name: 'min' | 'max', round: 'UP' | 'DOWN', none: bigint) => {
      const text = priceBetween[name];
      const amount = text == null ? none : parseAmount(text, digits, round);
      if (amount === undefined)
        throw badUserInput(`The argument "priceBetween": "${name}" is not a plain decimal, such as 12.50.`);
      return amount;
    };
    [min, max] = [limit('min', 'UP', min), limit('max', 'DOWN', max)];
    const isReversed = priceBetween.min != null && priceBetween.max != null && Number(priceBetween.min) > Number(priceBetween.max); // prettier-ignore
    if (isReversed) throw badUserInput('The argument "priceBetween": "min" must not be above "max".');
  }
  return { min, max, from: from ?? EARLIEST, to: to ?? LATEST };
}

const edgeOf = ({ item_id, listed_at }: ListedPosition, cursor: string) => ({
  cursor,
  itemId: item_id,
  listedAt: listed_at,
});

async function byPrice(
  { cassandra }: RequestContext,
  sellerId: string,
  name: string,
  { min, max, from, to }: Range,
  isDearestFirst: boolean,
  page: PageArguments,
): Promise<ItemConnection> {
  const partition = { seller_id: sellerId };
  const list = {
    ...onePartition,
    name,
    descending: isDearestFirst,
    cursor: z.object({ amount: z.string().regex(/^\d{1,18}$/), listed_at: cursorMoment, item_id: z.uuid() }),
    positionOf: ({ amount, listed_at, item_id }: ListedItem) => ({ amount: String(amount), listed_at, item_id }),
  };
  const read = ({ descending, from: position, limit: rows_max }: Slice<PricePosition>) => {
    const begin = position && { ...position, amount: BigInt(position.amount) };
    return descending
      ? rows(cassandra, selectByPriceDescending, {
          ...partition,
          ...(begin ?? { amount: max, listed_at: LATEST, item_id: HIGHEST_UUID }),
          at_least: min,
          rows_max,
        })
      : rows(cassandra, selectByPriceAscending, {
          ...partition,
          ...(begin ?? { amount: min, listed_at: EARLIEST, item_id: LOWEST_UUID }),
          at_most: max,
          rows_max,
        });
  };
  const isWithinDates = ({ listed_at }: ListedItem) => listed_at >= from && listed_at < to;
  const isNarrowed = from !== EARLIEST || to !== LATEST;
  return connection(
    page,
    {
      ...list,
      read: (_partition, slice) => (isNarrowed ? readWanted(list, slice, isWithinDates, read) : read(slice)),
    },
    edgeOf,
  );
}

async function byListedAt(
  { cassandra }: RequestContext,
  sellerId: string,
  name: string,
  { min, max, from, to }: Range,
  page: PageArguments,
): Promise<ItemConnection> {
  const partition = { seller_id: sellerId };
  const list = {
    ...onePartition,
    name,
    descending: true,
    cursor: z.object({ listed_at: cursorMoment, item_id: z.uuid() }),
    positionOf: ({ listed_at, item_id }: ListedPosition) => ({ listed_at, item_id }),
  };
  const read = (slice: Slice<ListedPosition>) => {
    const rows_max = slice.limit;
    return slice.descending
      ? rows(cassandra, selectByListedAtDescending, {
          ...partition,
          ...(slice.from ?? { listed_at: to, item_id: LOWEST_UUID }),
          at_least: from,
          rows_max,
        })
      : rows(cassandra, selectByListedAtAscending, {
          ...partition,
          ...(slice.from ?? { listed_at: new Date(from.getTime() - 1), item_id: HIGHEST_UUID }),
          at_below: to,
          rows_max,
        });
  };
  const isWithinPrices = ({ amount }: ListedItem) => amount >= min && amount <= max;
  const isNarrowed = min > 0n || max < AMOUNT_MAX;
  return connection(
    page,
    {
      ...list,
      read: (_partition, slice) =>
        isNarrowed ? readWanted<ListedItem, ListedPosition>(list, slice, isWithinPrices, read) : read(slice),
    },
    edgeOf,
  );
}

/** The next copy of a book for sale that has no title of its own; from the first one listed on. */
export async function copyCalledAsItsBook(
  { cassandra }: AppContext,
  bookId: string,
  after: ListedPosition | undefined,
): Promise<ListedPosition | undefined> {
  const begin = after ?? { listed_at: EARLIEST, item_id: LOWEST_UUID };
  const copies = everyRow<ListedPosition>(ROWS_PER_READ, (last) =>
    rows(cassandra, selectByBookAscending, { book_id: bookId, ...(last ?? begin), rows_max: ROWS_PER_READ }),
  );
  for await (const { listed_at, item_id } of copies) {
    const [row] = await rows(cassandra, selectItems, { item_ids: [item_id] });
    if (row?.state.own_title === null) return { listed_at, item_id };
  }
  return undefined;
}

/**
 * A page of the copies of a book for sale, last listed first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function copiesOf(
  { cassandra }: RequestContext,
  book: Book,
  page: PageArguments,
): Promise<ItemConnection> {
  const list = {
    ...onePartition,
    name: `copies ${book.id}`,
    descending: true,
    cursor: z.object({ listed_at: cursorMoment, item_id: z.uuid() }),
    positionOf: ({ listed_at, item_id }: ListedPosition) => ({ listed_at, item_id }),
    read: (_partition: number, { descending, from, limit }: Slice<ListedPosition>) => {
      const end = descending
        ? { listed_at: LATEST, item_id: HIGHEST_UUID }
        : { listed_at: EARLIEST, item_id: LOWEST_UUID };
      const slice = { book_id: book.id, ...(from ?? end), rows_max: limit };
      return rows(cassandra, descending ? selectByBookDescending : selectByBookAscending, slice);
    },
  };
  return connection(page, list, edgeOf);
}
