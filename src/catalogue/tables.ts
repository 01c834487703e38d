import { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { encodeUdt } from '../cassandra/encoding.ts';
import { range } from '../cassandra/range.ts';
import { statement, type Cassandra } from '../cassandra/statement.ts';

/** The UDT book_listing. */
const listing = z.object({ title: cql.text, authors: cql.list(cql.text), popularity: cql.int });

/** The UDT book_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  isbn: cql.text.nullable(),
  title: cql.text,
  original_title: cql.text.nullable(),
  authors: cql.list(cql.text),
  published_year: cql.int.nullable(),
  language_code: cql.text.nullable(),
  average_rating: cql.double.nullable(),
  ratings_count: cql.int.nullable(),
  removed_at: cql.timestamp.nullable(),
  former: listing.nullable(),
  retitled: cql.boolean,
  change_id: cql.uuid,
});
export type BookState = z.output<typeof state>;

/** A state for {@link insertByWord}, which writes it into a row for every beginning of a word. */
export const encodeState = (cassandra: Cassandra, value: BookState): Promise<Buffer> =>
  encodeUdt(cassandra, 'book_state', z.encode(state, value));

const key = { book_id: cql.text };

// books: the source of truth.

export const updateBook = statement({
  cql: `UPDATE books SET state = :next WHERE book_id = :book_id IF state = :current`,
  params: { ...key, next: state, current: state.nullable() },
  row: cql.row({ state }),
});

export const selectBookSerially = statement({
  cql: `SELECT state FROM books WHERE book_id = :book_id`,
  params: key,
  row: cql.row({ state }),
  serialRead: true,
});

export const selectBooks = statement({
  cql: `SELECT book_id, state FROM books WHERE book_id IN :book_ids`,
  params: { book_ids: cql.text.array() },
  row: cql.row({ ...key, state }),
});

// books_by_author, books_by_word: the lists. The write timestamp is the version of the book.

const position = { popularity: cql.int, ...key };

export const insertByAuthor = statement({
  cql: `INSERT INTO books_by_author (author, popularity, book_id, words)
        VALUES (:author, :popularity, :book_id, :words) USING TIMESTAMP :version`,
  params: { author: cql.text, ...position, words: cql.text, version: cql.bigint },
});

export const deleteByAuthor = statement({
  cql: `DELETE FROM books_by_author USING TIMESTAMP :version
        WHERE author = :author AND popularity = :popularity AND book_id = :book_id`,
  params: { author: cql.text, ...position, version: cql.bigint },
});

export const insertByWord = statement({
  cql: `INSERT INTO books_by_word (prefix, popularity, book_id, words, state)
        VALUES (:prefix, :popularity, :book_id, :words, :state) USING TIMESTAMP :version`,
  params: { prefix: cql.text, ...position, words: cql.text, state: z.instanceof(Buffer), version: cql.bigint },
});

export const deleteByWord = statement({
  cql: `DELETE FROM books_by_word USING TIMESTAMP :version
        WHERE prefix = :prefix AND popularity = :popularity AND book_id = :book_id`,
  params: { prefix: cql.text, ...position, version: cql.bigint },
});

export const booksOfAuthor = range({
  table: 'books_by_author',
  partition: { author: cql.text },
  order: position,
  columns: { words: cql.text },
});

/** With the books themselves. */
export const booksWithWord = range({
  table: 'books_by_word',
  partition: { prefix: cql.text },
  order: position,
  columns: { words: cql.text, state },
});
