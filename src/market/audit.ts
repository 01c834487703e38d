import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { rows } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { NodeId } from '../graphql/ids.ts';
import { isMade, listings, partitionOfCopy } from './aggregate.ts';
import {
  listingStates,
  rowsByBook,
  rowsByListedAt,
  rowsByPrice,
  rowsOfEveryCopy,
  rowsOfSeller,
  scanListings,
  selectListings,
  type ListingState,
} from './tables.ts';

/** Audits the lists of copies against the decisions of their sellers. */

type Books = ReadonlyMap<string, Book>;
/** A list of copies, by item id. */
type List = ProjectedList<string, ListingState, Books>;

const keyOf = ({ item_id }: { readonly item_id: string }): string => item_id;
const readerOf = ({ seller_id }: { readonly seller_id: string }): string => seller_id;

/** The row of a copy in the lists of copies for sale; none if it is not for sale or is withheld. */
function rowsForSale(itemId: string, state: ListingState, books: Books) {
  const { seller_id, book_id, listed_at, amount_e4, own_title, status, withheld } = state;
  const title = own_title ?? books.get(book_id)?.title;
  if (seller_id === null || status !== 'FOR_SALE' || withheld || title === undefined) return [];
  return [{ seller_id, book_id, listed_at, amount_e4, item_id: itemId, title }];
}

/** The lists of copies for sale, and those of all copies. */
const lists: List[] = [
  projectedList({ rows: rowsByPrice, rowsOf: rowsForSale, keyOf, readerOf }),
  projectedList({ rows: rowsByListedAt, rowsOf: rowsForSale, keyOf, readerOf }),
  projectedList({ rows: rowsByBook, rowsOf: rowsForSale, keyOf, readerOf }),
  projectedList({
    rows: rowsOfSeller,
    rowsOf: (itemId, { seller_id }) => (seller_id === null ? [] : [{ seller_id, item_id: itemId }]),
    keyOf,
    readerOf,
  }),
  projectedList({
    rows: rowsOfEveryCopy,
    rowsOf: (itemId, state) => (isMade(state) ? [{ ...partitionOfCopy(state.book_id, itemId), item_id: itemId }] : []),
    keyOf,
  }),
];

const read = ({ cassandra }: AppContext, itemId: string) => listingStates.read(cassandra, { item_id: itemId });

const subject = (type: 'Book' | 'Item' | 'User', key: string): NodeId => ({ type, key });

/** The audit of copies, with the lists of sellers and of books. */
export const itemAudit: Audit = projectionAudit(
  {
    kind: 'items',
    table: 'items',
    partition: ['item_id'],
    ring: scanListings,
    keyOf,
    nameOf: (itemId) => `item_id = ${itemId}`,
    find: async ({ cassandra }, itemIds) => {
      const found = await rows(cassandra, selectListings, { item_ids: itemIds });
      return found.map(({ item_id, state }) => ({ key: item_id, state }));
    },
    read,
    about: (app, found) => {
      const bookIds = found.flatMap(({ state }) => (isMade(state) ? [state.book_id] : []));
      return booksNow(app, bookIds);
    },
    behind: (itemId, state) => [
      subject('Item', itemId),
      ...(state ? [subject('Book', state.book_id)] : []),
      ...(state?.seller_id ? [subject('User', state.seller_id)] : []),
    ],
    repair: async (app, itemId, above) => {
      // A copy that never was listed, or has no seller any more, has no row in the lists.
      const sellerId = (await read(app, itemId))?.seller_id ?? LOWEST_UUID;
      return listings.repair(app, { itemId, sellerId }, above);
    },
  },
  lists,
);
