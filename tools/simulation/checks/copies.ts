import { genreKeys } from '../../../src/market/aggregate.ts';
import { bandOf } from '../../../src/market/orders.ts';
import { monthOf } from '../../../src/time/units.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import { differences } from './differences.ts';

interface ListingState {
  readonly seller_id: unknown;
  readonly book_id: string;
  readonly amount_e4: bigint;
  readonly status: string;
  readonly listed_at: Date;
  readonly withheld: boolean;
}

/** Compares the source of truth of copies with the lists of sellers and of books. */
export function* driftOfCopies(cluster: Cluster): Generator<string> {
  const copies = cluster
    .scan('items')
    .map((row): Row => ({ ...row, ...(row['state'] as ListingState) }))
    .filter((copy) => copy['book_id'] !== '');
  const isShown = (copy: Row) => copy['seller_id'] !== null && copy['withheld'] === false;
  const forSale = copies.filter((copy) => isShown(copy) && copy['status'] === 'FOR_SALE');
  const compared = (table: string, wanted: readonly Row[], columns: readonly string[]) => {
    const told = (row: Row) => columns.map((column) => `${column} ${show(row[column])}`).join(', ');
    return differences(table, wanted.map(told), cluster.scan(table).map(told));
  };

  yield* compared('item_by_seller_by_price', forSale, ['seller_id', 'amount_e4', 'listed_at', 'item_id']);
  yield* compared('item_by_seller_by_listed_at', forSale, ['seller_id', 'amount_e4', 'listed_at', 'item_id']);
  const genresOf = new Map(
    cluster.scan('books').map(({ book_id, state }) => [book_id, genreKeys(state as { genres: readonly string[] })]),
  );
  const everywhere = forSale.flatMap((copy) => {
    const { book_id, listed_at, amount_e4 } = copy as unknown as ListingState;
    const shared = { ...copy, month: monthOf(listed_at), band: bandOf({ amount_e4 }) };
    return ['', ...(genresOf.get(book_id) ?? [])].map((genre): Row => ({ ...shared, genre }));
  });
  yield* compared('items_for_sale_by_listed_at', everywhere, ['genre', 'month', 'listed_at', 'item_id', 'seller_id']);
  const byPrice = ['genre', 'currency', 'band', 'amount_e4', 'listed_at', 'item_id', 'seller_id'];
  yield* compared('items_for_sale_by_price', everywhere, byPrice);
  yield* compared('items_by_book', forSale, ['book_id', 'seller_id', 'listed_at', 'item_id']);
  const owned = copies.filter((copy) => copy['seller_id'] !== null);
  yield* compared('items_by_seller', owned, ['seller_id', 'item_id']);
  // A copy that was decided and erased before it was projected is in no list.
  const listed = new Set(
    cluster.scan('every_item_by_book').map((row) => `${show(row['book_id'])} ${show(row['item_id'])}`),
  );
  for (const copy of owned)
    if (!listed.has(`${show(copy['book_id'])} ${show(copy['item_id'])}`))
      yield `every_item_by_book lacks ${show(copy)}`;
}
