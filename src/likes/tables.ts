import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { insertInto, selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { ringScan, SCANNED_ROWS } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';
import { yearsBetween } from '../time/ranges.ts';

/** The UDT like_state. */
const state = z.object({
  liked: cql.boolean,
  version: cql.int,
  liked_at: cql.timestamp.nullable(),
  changed_at: cql.timestamp,
  shard: cql.int,
  former_shard: cql.int.nullable(),
  hour_began: cql.timestamp.nullable(),
  hour_likes: cql.int,
  change_id: cql.uuid,
});
export type LikeState = z.output<typeof state>;

const likeColumns = { user_id: cql.uuid, likeable_id: cql.text };

// likes_by_user: the source of truth.

export const likeStates = stateTable({
  table: 'likes_by_user',
  key: likeColumns,
  partition: { user_id: cql.uuid },
  state,
  ttlSeconds: ttlOf,
});

/** The states of some likes of a reader. */
export const selectLikesAmong = selectAmong(
  'likes_by_user',
  'likeable_id',
  { likeable_id: cql.text, state },
  { user_id: cql.uuid },
);

/** The part of a like's state that pages show to its reader. */
export const selectLikesOfViewer = statement({
  cql: `SELECT likeable_id, state.liked AS liked, state.liked_at AS liked_at, state.changed_at AS changed_at
        FROM likes_by_user WHERE user_id = :user_id AND likeable_id IN :likeable_ids`,
  params: { user_id: cql.uuid, likeable_ids: cql.text.array() },
  row: cql.row({
    likeable_id: cql.text,
    liked: cql.boolean,
    liked_at: cql.timestamp.nullable(),
    changed_at: cql.timestamp,
  }),
});

/** The likes of some readers among some likeables. */
export const selectLikesOfReaders = statement({
  cql: `SELECT user_id, likeable_id, state.liked AS liked, state.liked_at AS liked_at
        FROM likes_by_user WHERE user_id IN :user_ids AND likeable_id IN :likeable_ids`,
  params: { user_ids: cql.uuid.array(), likeable_ids: cql.text.array() },
  row: cql.row({ ...likeColumns, liked: cql.boolean, liked_at: cql.timestamp.nullable() }),
});

// item_by_user: the likes of a reader in order. The write timestamp is the version of the like.

const yearOfReader = { user_id: cql.uuid, year: cql.int };
const itemOrder = { liked_at: cql.timestamp, likeable_id: cql.text };

const itemColumns = { title: cql.text, authors: cql.list(cql.text) };
export type LikedItem = Values<typeof itemOrder> & Values<typeof itemColumns>;

export const likedItems = versionedList({
  table: 'item_by_user',
  partition: yearOfReader,
  several: 'year',
  order: itemOrder,
  columns: itemColumns,
});

/** Returns the years in which a reader may have liked something: the buckets of a list. */
export function yearsOfLikes(registeredAt: Date, now: Date) {
  return {
    column: 'year',
    values: yearsBetween(registeredAt, now),
    of: ({ liked_at }: { readonly liked_at: Date }) => liked_at.getUTCFullYear(),
  } as const;
}

/** The likes of a reader in order, without titles. */
export const likedPlaces = range({ table: 'item_by_user', partition: yearOfReader, several: 'year', order: itemOrder });

/** The likes of several readers in one order, for feeds. */
export const likedByReaders = range({
  table: 'item_by_user',
  partition: yearOfReader,
  several: 'user_id',
  located: { user_id: cql.uuid },
  order: itemOrder,
});

export const eraseItems = erasing('item_by_user', yearOfReader);

// For audits and changes of accounts: whole partitions.

export const selectLikes = selectFrom('likes_by_user', { user_id: cql.uuid }, { ...likeColumns, state }, 200);

export const scanLikes = ringScan('likes_by_user', { user_id: cql.uuid }, { ...likeColumns, state });

const itemRow = { ...yearOfReader, ...itemOrder, ...itemColumns };

export const selectItems = selectFrom('item_by_user', yearOfReader, itemRow, SCANNED_ROWS);

// also_liked: the books that readers of a book also like.

/** The UDT also_liked_book. */
export const alsoLikedBook = z.strictObject({ book_id: cql.text, shared_readers: cql.int, score: cql.double });
export type AlsoLikedBook = z.output<typeof alsoLikedBook>;

const alsoLikedRow = { book_id: cql.text, like_count: cql.int, computed_at: cql.timestamp };

export const insertAlsoLiked = insertInto('also_liked', { ...alsoLikedRow, books: alsoLikedBook.array() });

export const selectAlsoLiked = selectAmong('also_liked', 'book_id', {
  ...alsoLikedRow,
  books: cql.list(alsoLikedBook),
});
