import { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

/** The statuses of which a reader has a shelf. */
export const SHELVES = ['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP'] as const;

/** The UDT reading_step. */
const readingStep = z.object({ status: z.enum([...SHELVES, 'NONE']), progress: cql.int, at: cql.timestamp });
export type ReadingStep = z.output<typeof readingStep>;

/** The UDT reading_state. */
const state = z.object({
  marked: cql.boolean,
  version: cql.int,
  changed_at: cql.timestamp,
  title_sort: cql.text,
  author_sort: cql.text,
  reads: cql.list(cql.timestamp),
  history: cql.list(readingStep),
  change_id: cql.uuid,
});
export type ReadingState = z.output<typeof state>;

const key = { user_id: cql.uuid, book_id: cql.text };

// readings_by_user: the source of truth.

/** An update also where there is no row: it is nothing but its state, so that one whose state has ended is gone. */
export const updateReading = statement({
  cql: `UPDATE readings_by_user USING TTL :ttl_seconds SET state = :next
        WHERE user_id = :user_id AND book_id = :book_id IF state = :current`,
  params: { ...key, next: state, current: state.nullable(), ttl_seconds: cql.int },
  row: cql.row({ state }),
});

export const selectReadingSerially = statement({
  cql: `SELECT state FROM readings_by_user WHERE user_id = :user_id AND book_id = :book_id`,
  params: key,
  row: cql.row({ state }),
  serialRead: true,
});

// books_read_by_user: by title. The write timestamp is the version of the state.

export const insertByTitle = statement({
  cql: `INSERT INTO books_read_by_user (user_id, title_sort, author_sort, book_id, reads)
        VALUES (:user_id, :title_sort, :author_sort, :book_id, :reads) USING TIMESTAMP :version`,
  params: {
    ...key,
    title_sort: cql.text,
    author_sort: cql.text,
    reads: cql.timestamp.array(),
    version: cql.bigint,
  },
});

export const deleteByTitle = statement({
  cql: `DELETE FROM books_read_by_user USING TIMESTAMP :version
        WHERE user_id = :user_id AND title_sort = :title_sort AND author_sort = :author_sort AND book_id = :book_id`,
  params: { ...key, title_sort: cql.text, author_sort: cql.text, version: cql.bigint },
});

export const updateFullName = statement({
  cql: `UPDATE books_read_by_user USING TIMESTAMP :version SET full_name = :full_name WHERE user_id = :user_id`,
  params: { user_id: cql.uuid, full_name: cql.text, version: cql.bigint },
});

export const readByTitle = range({
  table: 'books_read_by_user',
  partition: { user_id: cql.uuid },
  order: { title_sort: cql.text, author_sort: cql.text, book_id: cql.text },
  columns: { reads: cql.list(cql.timestamp), full_name: cql.text.nullable() },
});

// books_read_by_user_by_read_at: last read first. The write timestamp is the version of the state.

export const insertByReadAt = statement({
  cql: `INSERT INTO books_read_by_user_by_read_at (user_id, read_at, book_id, reads)
        VALUES (:user_id, :read_at, :book_id, :reads) USING TIMESTAMP :version`,
  params: { ...key, read_at: cql.timestamp, reads: cql.timestamp.array(), version: cql.bigint },
});

export const deleteByReadAt = statement({
  cql: `DELETE FROM books_read_by_user_by_read_at USING TIMESTAMP :version
        WHERE user_id = :user_id AND read_at = :read_at AND book_id = :book_id`,
  params: { ...key, read_at: cql.timestamp, version: cql.bigint },
});

export const readByReadAt = range({
  table: 'books_read_by_user_by_read_at',
  partition: { user_id: cql.uuid },
  order: { read_at: cql.timestamp, book_id: cql.text },
  columns: { reads: cql.list(cql.timestamp) },
});

export const selectReadingsOfViewer = statement({
  cql: `SELECT book_id, state FROM readings_by_user WHERE user_id = :user_id AND book_id IN :book_ids`,
  params: { user_id: cql.uuid, book_ids: cql.text.array() },
  row: cql.row({ book_id: cql.text, state }),
});

// books_by_reading_status: the shelves. The write timestamp is the version of the state.

const shelved = { user_id: cql.uuid, status: cql.text, at: cql.timestamp, book_id: cql.text };

export const insertOnShelf = statement({
  cql: `INSERT INTO books_by_reading_status (user_id, status, at, book_id, progress)
        VALUES (:user_id, :status, :at, :book_id, :progress) USING TIMESTAMP :version`,
  params: { ...shelved, progress: cql.int, version: cql.bigint },
});

export const deleteFromShelf = statement({
  cql: `DELETE FROM books_by_reading_status USING TIMESTAMP :version
        WHERE user_id = :user_id AND status = :status AND at = :at AND book_id = :book_id`,
  params: { ...shelved, version: cql.bigint },
});

export const shelf = range({
  table: 'books_by_reading_status',
  partition: { user_id: cql.uuid, status: cql.text },
  order: { at: cql.timestamp, book_id: cql.text },
  columns: { progress: cql.int },
});

// For the export and the erasure of an account.

export const selectReadings = statement({
  cql: `SELECT book_id, state FROM readings_by_user WHERE user_id = :user_id`,
  params: { user_id: cql.uuid },
  row: cql.row({ book_id: cql.text, state }),
  rowsPerPage: 200,
});

export const eraseByTitle = erasing('books_read_by_user', { user_id: cql.uuid });

export const eraseByReadAt = erasing('books_read_by_user_by_read_at', { user_id: cql.uuid });

export const eraseShelf = erasing('books_by_reading_status', { user_id: cql.uuid, status: cql.text });
