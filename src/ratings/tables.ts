import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT rating_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  quarters: cql.int.nullable(),
  rated_at: cql.timestamp.nullable(),
  shard: cql.int,
  hour_began: cql.timestamp.nullable(),
  hour_ratings: cql.int,
  import_id: cql.uuid.nullable(),
});
export type RatingState = z.output<typeof state>;

const ofReader = { user_id: cql.uuid };
const key = { ...ofReader, book_id: cql.text };

// ratings_by_user: the source of truth.

export const ratingStates = stateTable({
  table: 'ratings_by_user',
  key,
  partition: ofReader,
  state,
  ttlSeconds: ttlOf,
});

/** Reads a reader's ratings of some books. */
export const selectRatingsAmong = selectAmong('ratings_by_user', 'book_id', { book_id: cql.text, state }, ofReader);

/** Reads some readers' ratings of a book. */
export const selectRatingsOfBook = selectAmong(
  'ratings_by_user',
  'user_id',
  { user_id: cql.uuid, state },
  { book_id: cql.text },
);

/** Reads all ratings of an account, for its export and erasure. */
export const selectRatings = selectFrom('ratings_by_user', ofReader, { book_id: cql.text, state }, 200);

// ratings_by_user_by_rated_at: a reader's list. The write timestamp is the version of the state.

export const ratedBooks = versionedList({
  table: 'ratings_by_user_by_rated_at',
  partition: ofReader,
  order: { rated_at: cql.timestamp, book_id: cql.text },
  columns: { quarters: cql.int },
});

export const eraseRatedBooks = erasing('ratings_by_user_by_rated_at', ofReader);

// feed_ratings_by_user: for feeds. The write timestamp is the version of the state.

const monthOfReader = { ...ofReader, month: cql.timestamp };

export const ratedInMonth = versionedList({
  table: 'feed_ratings_by_user',
  partition: monthOfReader,
  several: 'user_id',
  located: ofReader,
  order: { rated_at: cql.timestamp, book_id: cql.text },
  columns: { quarters: cql.int },
});

export const eraseRatedInMonth = erasing('feed_ratings_by_user', monthOfReader);
