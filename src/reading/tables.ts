import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { ringScan } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The statuses that have a shelf. */
export const SHELVES = ['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP'] as const;

/** The UDT reading_step. */
const readingStep = z.object({
  status: cql.oneOf([...SHELVES, 'NONE'], 'NONE'),
  progress: cql.int,
  at: cql.timestamp,
  import_id: cql.uuid.nullable(),
  started_on: cql.date.nullable(),
});
export type ReadingStep = z.output<typeof readingStep>;

/** The UDT title_position. */
const titlePosition = z.object({ title_sort: cql.text, author_sort: cql.text });

/** The UDT book_read. */
const read = z.object({
  read_at: cql.timestamp.nullable(),
  finished_on: cql.date.nullable(),
  started_on: cql.date.nullable(),
  noted_at: cql.timestamp,
  import_id: cql.uuid.nullable(),
  imported_on: cql.date.nullable(),
});
export type Read = z.output<typeof read>;

/** The UDT reading_state. */
const state = z.object({
  marked: cql.boolean,
  version: cql.int,
  changed_at: cql.timestamp,
  title_sort: cql.text,
  author_sort: cql.text,
  reads: cql.list(read),
  history: cql.list(readingStep),
  former: titlePosition.nullable(),
  corrected: read.nullable(),
  gone_years: cql.list(cql.int),
  change_id: cql.uuid,
});
export type ReadingState = z.output<typeof state>;

export interface ReadingKey {
  readonly userId: string;
  readonly bookId: string;
}

const ofReader = { user_id: cql.uuid };
const key = { ...ofReader, book_id: cql.text };

// readings_by_user: the source of truth.

export const readingStates = stateTable({
  table: 'readings_by_user',
  key,
  partition: ofReader,
  state,
  ttlSeconds: ttlOf,
});

export const selectReadingsOfViewer = selectAmong(
  'readings_by_user',
  'book_id',
  { book_id: cql.text, state },
  ofReader,
);

/** Reads all readings of an account, for its export and erasure. */
export const selectReadings = selectFrom('readings_by_user', ofReader, { book_id: cql.text, state }, 200);

// books_read_by_user: by title. The write timestamp is the version of the state; the reader's name
// is stored once.

const titleOrder = { title_sort: cql.text, author_sort: cql.text, book_id: cql.text };
/** The columns of a book in both lists. */
const said = {
  title: cql.text,
  authors: cql.list(cql.text),
  genres: cql.list(cql.text),
  publisher: cql.text,
  reads: cql.list(read),
};
export type ReadBookRow = Values<typeof said> & { readonly book_id: string };

export const readByTitle = versionedList({
  table: 'books_read_by_user',
  partition: ofReader,
  order: titleOrder,
  columns: said,
  statics: { full_name: cql.text.nullable() },
});

export const updateFullName = statement({
  cql: `UPDATE books_read_by_user USING TIMESTAMP :version SET full_name = :full_name WHERE user_id = :user_id`,
  params: { user_id: cql.uuid, full_name: cql.text, version: cql.bigint },
});

/** Reads the names of readers in their lists. */
export const selectFullNames = statement({
  cql: `SELECT user_id, full_name, WRITETIME(full_name) AS written FROM books_read_by_user
        WHERE user_id IN :user_ids PER PARTITION LIMIT :rows_max`,
  params: { user_ids: cql.uuid.array(), rows_max: cql.int },
  row: cql.row({ ...ofReader, full_name: cql.text.nullable(), written: cql.bigint.nullable() }),
});

export const eraseByTitle = erasing('books_read_by_user', ofReader);

// books_read_by_user_by_read_at: last read first, unknown days at the end.

/** The place of an unknown day in the list by date, before all moments that a reading can have. */
export const UNKNOWN_READ_AT = new Date('0001-01-01T00:00:00Z');

export const readByReadAt = versionedList({
  table: 'books_read_by_user_by_read_at',
  partition: ofReader,
  order: { read_at: cql.timestamp, book_id: cql.text },
  columns: said,
});

export const eraseByReadAt = erasing('books_read_by_user_by_read_at', ofReader);

// books_by_reading_status: the shelves.

const shelfKey = { ...ofReader, status: cql.text };

export const shelf = versionedList({
  table: 'books_by_reading_status',
  partition: shelfKey,
  several: 'status',
  located: { status: cql.text },
  order: { at: cql.timestamp, book_id: cql.text },
  columns: { progress: cql.int },
});

export const eraseShelf = erasing('books_by_reading_status', shelfKey);

// readers_by_book: the readers whose lists have a book. The write timestamp is the version of the
// reader's state.

const shardOfBook = { book_id: cql.text, shard: cql.int };

export const readersOfBook = versionedList({
  table: 'readers_by_book',
  partition: shardOfBook,
  order: ofReader,
  columns: {},
});

// books_finished_by_year: the days on which the books of a year were finished.

const yearOfReader = { ...ofReader, year: cql.int };

export const finishedBooks = versionedList({
  table: 'books_finished_by_year',
  partition: yearOfReader,
  order: { book_id: cql.text },
  columns: { days: cql.list(cql.date) },
});

// feed_readings_by_user: for feeds. The write timestamp is the version of the state.

const monthOfReader = { ...ofReader, month: cql.timestamp };

export const readInMonth = versionedList({
  table: 'feed_readings_by_user',
  partition: monthOfReader,
  several: 'user_id',
  located: ofReader,
  order: { noted_at: cql.timestamp, book_id: cql.text },
  columns: {},
});

export const eraseReadInMonth = erasing('feed_readings_by_user', monthOfReader);

// For migrations.

export const scanReadings = ringScan('readings_by_user', ofReader, { ...key, state });
