import { cql, statement } from '../cassandra/statement.ts';

const book = {
  book_id: cql.text,
  isbn: cql.text.nullable(),
  title: cql.text,
  original_title: cql.text.nullable(),
  authors: cql.list(cql.text),
  published_year: cql.int.nullable(),
  language_code: cql.text.nullable(),
  average_rating: cql.double.nullable(),
  ratings_count: cql.int.nullable(),
};

export const insertBook = statement({
  cql: `INSERT INTO books (book_id, isbn, title, original_title, authors, published_year, language_code,
          average_rating, ratings_count, imported_at)
        VALUES (:book_id, :isbn, :title, :original_title, :authors, :published_year, :language_code,
          :average_rating, :ratings_count, :imported_at)`,
  params: { ...book, imported_at: cql.timestamp },
  idempotent: true,
});

export const selectBooks = statement({
  cql: `SELECT book_id, isbn, title, original_title, authors, published_year, language_code, average_rating, ratings_count, removed_at
        FROM books WHERE book_id IN :book_ids`,
  params: { book_ids: cql.text.array() },
  row: cql.row({ ...book, removed_at: cql.timestamp.nullable() }),
  idempotent: true,
});

export const updateRemoved = statement({
  cql: `UPDATE books SET removed_at = :removed_at WHERE book_id = :book_id`,
  params: { book_id: cql.text, removed_at: cql.timestamp },
  idempotent: true,
});

export const selectImport = statement({
  cql: `SELECT rows_done, finished_at FROM book_imports WHERE file_checksum = :file_checksum`,
  params: { file_checksum: cql.text },
  row: cql.row({ rows_done: cql.int, finished_at: cql.timestamp.nullable() }),
  idempotent: true,
});

export const insertImport = statement({
  cql: `INSERT INTO book_imports (file_checksum, rows_done, finished_at) VALUES (:file_checksum, :rows_done, :finished_at)`,
  params: { file_checksum: cql.text, rows_done: cql.int, finished_at: cql.timestamp.nullable() },
  idempotent: true,
});
