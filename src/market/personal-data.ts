import pLimit from 'p-limit';
import { everyRow, LOWEST_UUID } from '../cassandra/paging.ts';
import { applied, rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../erasure/personal-table.ts';
import { forgetItem } from './aggregate.ts';
import { digitsOf, formatAmount } from './money.ts';
import { deleteCurrency, eraseByListedAt, eraseByPrice, eraseOfSeller, selectItems, walkOfSeller } from './tables.ts';

const ROWS_PER_READ = 100;
const AT_ONCE = 16;

const someItems = ({ cassandra }: AppContext, sellerId: string, after: string) =>
  rows(cassandra, walkOfSeller, { seller_id: sellerId, item_id: after, rows_max: ROWS_PER_READ });

async function* itemsOfSeller(app: AppContext, sellerId: string): AsyncGenerator<object> {
  const every = everyRow<{ item_id: string }>(ROWS_PER_READ, (last) =>
    someItems(app, sellerId, last?.item_id ?? LOWEST_UUID),
  );
  for await (const { item_id } of every) {
    const [row] = await rows(app.cassandra, selectItems, { item_ids: [item_id] });
    if (!row) continue;
    const { book_id, own_title, condition, amount, currency, status, listed_at, ended_at } = row.state;
    const price = { amount: formatAmount(amount, digitsOf(currency)), currency };
    const title = own_title;
    yield { itemId: item_id, book: book_id, title, condition, price, status, listedAt: listed_at, endedAt: ended_at };
  }
}

const erase =
  (statement: typeof eraseByPrice) =>
  async ({ cassandra }: AppContext, seller_id: string): Promise<undefined> => {
    await write(cassandra, statement, { seller_id, write_timestamp: ERASED_FOR_GOOD });
  };

export const personalData: readonly PersonalTable[] = [
  {
    table: 'items',
    exported: itemsOfSeller,
    erased: async (app, sellerId, after) => {
      const page = await someItems(app, sellerId, after === '' ? LOWEST_UUID : after);
      await pLimit(AT_ONCE).map(page, ({ item_id }) => forgetItem(app, item_id));
      return page.length < ROWS_PER_READ ? undefined : page.at(-1)?.item_id;
    },
  },
  { table: 'item_by_seller_by_price', exported: 'follows from items', erased: erase(eraseByPrice) },
  { table: 'item_by_seller_by_listed_at', exported: 'follows from items', erased: erase(eraseByListedAt) },
  { table: 'items_by_book', exported: 'follows from items', erased: 'with items; it names nobody' },
  { table: 'items_by_seller', exported: 'follows from items', erased: erase(eraseOfSeller) },
  {
    table: 'currency_by_seller',
    exported: 'follows from items',
    erased: async ({ cassandra }, seller_id) => {
      await applied(cassandra, deleteCurrency, { seller_id });
      return undefined;
    },
  },
];
