import { z } from 'zod';
import { selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { ringScan } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT listing_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  book_id: cql.text,
  own_title: cql.text.nullable(),
  condition: cql.oneOf(['NEW', 'LIKE_NEW', 'GOOD', 'FAIR', 'POOR'], 'POOR'),
  amount_e4: cql.bigint,
  currency: cql.text,
  status: cql.oneOf(['FOR_SALE', 'SOLD', 'WITHDRAWN'], 'WITHDRAWN'),
  listed_at: cql.timestamp,
  ended_at: cql.timestamp.nullable(),
  priced_at: cql.timestamp,
  former_amount_e4: cql.bigint.nullable(),
  withheld: cql.boolean,
  title_taken_down_at: cql.timestamp.nullable(),
  title_taken_down_by: cql.uuid.nullable(),
  title_taken_down_reason: cql.text.nullable(),
  place: cql.text.nullable(),
  genres: cql.list(cql.text),
  change_id: cql.uuid,
  seller_id: cql.uuid.nullable(),
});
export type ListingState = z.output<typeof state>;

const key = { item_id: cql.uuid };

// items: the source of truth.

export const listingStates = stateTable({ table: 'items', key, state });

export const selectListings = selectAmong('items', 'item_id', { ...key, state });

/** Scans all copies, for a migration. */
export const scanListings = ringScan('items', key, { ...key, state });

// currency_by_seller: set by the first copy.

const seller = { seller_id: cql.uuid };

export const reserveCurrency = statement({
  cql: `INSERT INTO currency_by_seller (seller_id, currency) VALUES (:seller_id, :currency) IF NOT EXISTS`,
  params: { ...seller, currency: cql.text },
  row: cql.row({ ...seller, currency: cql.text }),
});

export const selectCurrency = selectFrom('currency_by_seller', seller, { currency: cql.text });

export const deleteCurrency = statement({
  cql: `DELETE FROM currency_by_seller WHERE seller_id = :seller_id IF EXISTS`,
  params: seller,
});

// The lists. The write timestamp is the version of the copy.

const listed = { listed_at: cql.timestamp, ...key };
const title = { title: cql.text };

export const listingsByPrice = versionedList({
  table: 'item_by_seller_by_price',
  partition: seller,
  order: { amount_e4: cql.bigint, ...listed },
  columns: title,
});

export const listingsByListedAt = versionedList({
  table: 'item_by_seller_by_listed_at',
  partition: seller,
  order: listed,
  columns: { amount_e4: cql.bigint, ...title },
});

const book = { book_id: cql.text };

export const listingsOfBook = versionedList({
  table: 'items_by_book',
  partition: book,
  order: listed,
  columns: { ...title, ...seller },
});

export const copiesByListedAt = versionedList({
  table: 'items_for_sale_by_listed_at',
  partition: { genre: cql.text, month: cql.timestamp },
  several: 'month',
  order: listed,
  columns: { ...title, ...seller },
});

export const copiesByPrice = versionedList({
  table: 'items_for_sale_by_price',
  partition: { genre: cql.text, currency: cql.text, band: cql.int },
  several: 'band',
  order: { amount_e4: cql.bigint, ...listed },
  columns: { ...title, ...seller },
});

export const everyListingOfSeller = versionedList({
  table: 'items_by_seller',
  partition: seller,
  order: key,
  columns: {},
});

// every_item_by_book: the row of a copy is never deleted.

const shardOfBook = { ...book, shard: cql.int };

export const everyListingOfBook = versionedList({
  table: 'every_item_by_book',
  partition: shardOfBook,
  order: key,
  columns: {},
});

// For the export and the erasure of an account.

export const selectOfSeller = selectFrom('items_by_seller', seller, key, 100);

export const eraseByPrice = erasing('item_by_seller_by_price', seller);

export const eraseByListedAt = erasing('item_by_seller_by_listed_at', seller);

export const eraseOfSeller = erasing('items_by_seller', seller);
