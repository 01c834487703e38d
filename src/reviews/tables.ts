import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { deleteFrom, insertInto, selectAmong, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT review_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  author_id: cql.uuid.nullable(),
  book_id: cql.text,
  text: cql.text,
  has_spoilers: cql.boolean,
  language: cql.text.nullable(),
  written_at: cql.timestamp,
  edited_at: cql.timestamp.nullable(),
  edit: cql.int,
  first_edit: cql.int,
  taken_down_at: cql.timestamp.nullable(),
  taken_down_by: cql.uuid.nullable(),
  taken_down_reason: cql.text.nullable(),
  like_rank: cql.int,
  former_rank: cql.int.nullable(),
  import_id: cql.uuid.nullable(),
  shows_rating: cql.boolean.nullable(),
});
export type ReviewState = z.output<typeof state>;

const key = { review_id: cql.uuid };

// reviews: the source of truth.

export const reviewStates = stateTable({ table: 'reviews', key, state, ttlSeconds: ttlOf });

export const selectReviews = selectAmong('reviews', 'review_id', { ...key, state });

// The lists. The write timestamp is the version of the review.

const order = { written_at: cql.timestamp, ...key };

export const reviewsOfBook = versionedList({
  table: 'reviews_by_book',
  partition: { book_id: cql.text, year: cql.int },
  several: 'year',
  order,
  columns: {},
});

export const reviewsByLikes = versionedList({
  table: 'reviews_by_book_by_likes',
  partition: { book_id: cql.text },
  order: { like_rank: cql.int, ...order },
  columns: {},
});

const ofReader = { user_id: cql.uuid };

export const reviewsOfReader = versionedList({
  table: 'reviews_by_user_by_written_at',
  partition: ofReader,
  order,
  columns: {},
});

/** Reads all reviews of an account, for its export and erasure. */
export const selectReviewsOfReader = selectFrom('reviews_by_user_by_written_at', ofReader, key, 100);

export const eraseReviewsOfReader = erasing('reviews_by_user_by_written_at', ofReader);

const monthOfReader = { ...ofReader, month: cql.timestamp };

export const reviewedInMonth = versionedList({
  table: 'feed_reviews_by_user',
  partition: monthOfReader,
  several: 'user_id',
  located: ofReader,
  order,
  columns: {},
});

export const eraseReviewedInMonth = erasing('feed_reviews_by_user', monthOfReader);

// review_texts: the text in force and the former ones.

const text = {
  text: cql.text,
  has_spoilers: cql.boolean,
  language: cql.unlessNull(cql.text),
  written_at: cql.timestamp,
};

export const insertText = insertInto('review_texts', { ...key, edit: cql.int, ...text }, 'TIMESTAMP');

export const deleteText = deleteFrom('review_texts', { ...key, edit: cql.int }, 'TIMESTAMP');

export const deleteTexts = deleteFrom('review_texts', key, 'TIMESTAMP');

export const selectTexts = selectFirst('review_texts', key, { edit: cql.int, ...text });
