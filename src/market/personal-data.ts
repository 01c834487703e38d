import pLimit from 'p-limit';
import { applied, each, first, page } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetListing } from './aggregate.ts';
import { priceOf } from './money.ts';
import {
  deleteCurrency,
  eraseByListedAt,
  eraseByPrice,
  eraseOfSeller,
  selectListings,
  selectOfSeller,
} from './tables.ts';

const AT_ONCE = 16;

async function* listingsOfSeller({ cassandra }: AppContext, seller_id: string): AsyncGenerator<object> {
  for await (const { item_id } of each(cassandra, selectOfSeller, { seller_id })) {
    const row = await first(cassandra, selectListings, { item_ids: [item_id] });
    if (!row) continue;
    const { book_id, own_title, place, condition, status, listed_at, ended_at } = row.state;
    const price = priceOf(row.state);
    const title = own_title;
    yield {
      itemId: item_id,
      book: book_id,
      title,
      place,
      condition,
      price,
      status,
      listedAt: listed_at,
      endedAt: ended_at,
    };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'items',
    exported: listingsOfSeller,
    erased: async (app, seller_id, after) => {
      const some = await page(app.cassandra, selectOfSeller, { seller_id }, after);
      await pLimit(AT_ONCE).map(some.rows, ({ item_id }) =>
        forgetListing(app, { itemId: item_id, sellerId: seller_id }),
      );
      return some.pageState;
    },
  },
  { table: 'item_by_seller_by_price', exported: 'a projection of items', erased: erasedBy(eraseByPrice, 'seller_id') },
  {
    table: 'item_by_seller_by_listed_at',
    exported: 'a projection of items',
    erased: erasedBy(eraseByListedAt, 'seller_id'),
  },
  { table: 'items_by_book', exported: 'a projection of items', erased: 'with items' },
  { table: 'items_for_sale_by_listed_at', exported: 'a projection of items', erased: 'with items' },
  { table: 'items_for_sale_by_price', exported: 'a projection of items', erased: 'with items' },
  {
    table: 'every_item_by_book',
    exported: 'a projection of items',
    erased: 'kept, because likes of the copy are kept; it contains no personal data',
  },
  { table: 'items_by_seller', exported: 'a projection of items', erased: erasedBy(eraseOfSeller, 'seller_id') },
  {
    table: 'currency_by_seller',
    exported: 'a projection of items',
    erased: async ({ cassandra }, seller_id) => {
      await applied(cassandra, deleteCurrency, { seller_id });
      return undefined;
    },
  },
];
