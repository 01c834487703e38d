import { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT listing_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  book_id: cql.text,
  own_title: cql.text.nullable(),
  condition: z.enum(['NEW', 'LIKE_NEW', 'GOOD', 'FAIR', 'POOR']),
  amount: cql.bigint,
  currency: cql.text,
  status: z.enum(['FOR_SALE', 'SOLD', 'WITHDRAWN']),
  listed_at: cql.timestamp,
  ended_at: cql.timestamp.nullable(),
  priced_at: cql.timestamp,
  former_amount: cql.bigint.nullable(),
  change_id: cql.uuid,
  seller_id: cql.uuid.nullable(),
});
export type ListingState = z.output<typeof state>;

const key = { item_id: cql.uuid };

// items: the source of truth.

export const updateListing = statement({
  cql: `UPDATE items SET state = :next WHERE item_id = :item_id IF state = :current`,
  params: { ...key, next: state, current: state.nullable() },
  row: cql.row({ state }),
});

export const selectListingSerially = statement({
  cql: `SELECT state FROM items WHERE item_id = :item_id`,
  params: key,
  row: cql.row({ state }),
  serialRead: true,
});

export const selectListings = statement({
  cql: `SELECT item_id, state FROM items WHERE item_id IN :item_ids`,
  params: { item_ids: cql.uuid.array() },
  row: cql.row({ ...key, state }),
});

// currency_by_seller: the first copy decides.

const seller = { seller_id: cql.uuid };

export const reserveCurrency = statement({
  cql: `INSERT INTO currency_by_seller (seller_id, currency) VALUES (:seller_id, :currency) IF NOT EXISTS`,
  params: { ...seller, currency: cql.text },
  row: cql.row({ ...seller, currency: cql.text }),
});

export const selectCurrency = statement({
  cql: `SELECT currency FROM currency_by_seller WHERE seller_id = :seller_id`,
  params: seller,
  row: cql.row({ currency: cql.text }),
});

export const deleteCurrency = statement({
  cql: `DELETE FROM currency_by_seller WHERE seller_id = :seller_id IF EXISTS`,
  params: seller,
});

// The lists. The write timestamp is the version of the copy.

const version = { version: cql.bigint };
const listed = { listed_at: cql.timestamp, ...key };
const priced = { ...seller, amount: cql.bigint, ...listed };

export const insertByPrice = statement({
  cql: `INSERT INTO item_by_seller_by_price (seller_id, amount, listed_at, item_id)
        VALUES (:seller_id, :amount, :listed_at, :item_id) USING TIMESTAMP :version`,
  params: { ...priced, ...version },
});

export const deleteByPrice = statement({
  cql: `DELETE FROM item_by_seller_by_price USING TIMESTAMP :version
        WHERE seller_id = :seller_id AND amount = :amount AND listed_at = :listed_at AND item_id = :item_id`,
  params: { ...priced, ...version },
});

export const insertByListedAt = statement({
  cql: `INSERT INTO item_by_seller_by_listed_at (seller_id, listed_at, item_id, amount)
        VALUES (:seller_id, :listed_at, :item_id, :amount) USING TIMESTAMP :version`,
  params: { ...priced, ...version },
});

export const deleteByListedAt = statement({
  cql: `DELETE FROM item_by_seller_by_listed_at USING TIMESTAMP :version
        WHERE seller_id = :seller_id AND listed_at = :listed_at AND item_id = :item_id`,
  params: { ...seller, ...listed, ...version },
});

const book = { book_id: cql.text };

export const insertByBook = statement({
  cql: `INSERT INTO items_by_book (book_id, listed_at, item_id)
        VALUES (:book_id, :listed_at, :item_id) USING TIMESTAMP :version`,
  params: { ...book, ...listed, ...version },
});

export const deleteByBook = statement({
  cql: `DELETE FROM items_by_book USING TIMESTAMP :version
        WHERE book_id = :book_id AND listed_at = :listed_at AND item_id = :item_id`,
  params: { ...book, ...listed, ...version },
});

export const insertOfSeller = statement({
  cql: `INSERT INTO items_by_seller (seller_id, item_id) VALUES (:seller_id, :item_id)`,
  params: { ...seller, ...key },
});

export const listingsByPrice = range({
  table: 'item_by_seller_by_price',
  partition: seller,
  order: { amount: cql.bigint, ...listed },
});

export const listingsByListedAt = range({
  table: 'item_by_seller_by_listed_at',
  partition: seller,
  order: listed,
  columns: { amount: cql.bigint },
});

export const listingsOfBook = range({ table: 'items_by_book', partition: book, order: listed });

export const selectListingsBehind = statement({
  cql: `SELECT listed_at, item_id FROM items_by_book WHERE book_id = :book_id
        AND (listed_at, item_id) > (:listed_at, :item_id) ORDER BY listed_at ASC, item_id ASC`,
  params: { ...book, ...listed },
  row: cql.row(listed),
  rowsPerPage: 200,
});

// For the export and the erasure of an account.

export const selectOfSeller = statement({
  cql: `SELECT item_id FROM items_by_seller WHERE seller_id = :seller_id`,
  params: seller,
  row: cql.row(key),
  rowsPerPage: 100,
});

export const eraseByPrice = erasing('item_by_seller_by_price', { seller_id: cql.uuid });

export const eraseByListedAt = erasing('item_by_seller_by_listed_at', { seller_id: cql.uuid });

export const eraseOfSeller = erasing('items_by_seller', { seller_id: cql.uuid });
