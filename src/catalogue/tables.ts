import { z } from 'zod';
import { insertInto, selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, encodeUdt } from '../cassandra/columns.ts';
import { encoderOf } from '../cassandra/compiled-models.ts';
import { range } from '../cassandra/range.ts';
import { ringScan } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement, type Cassandra } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';

/** The UDT book_in_series. */
const inSeries = z.strictObject({
  name: cql.text,
  number_from: cql.int.nullable(),
  number_to: cql.int.nullable(),
});

/** The fields of works, further ids and series. A state from release 1.0.0 lacks them. */
const references = {
  work_id: cql.text.nullable(),
  source_ids: cql.list(cql.text).nullable(),
  other_isbns: cql.list(cql.text).nullable(),
  series: cql.list(inSeries).nullable(),
};

/** The UDT book_listing. */
const listing = z.object({
  title: cql.text,
  original_title: cql.text.nullable(),
  authors: cql.list(cql.text),
  genres: cql.list(cql.text),
  popularity: cql.int,
  published_year: cql.int.nullable(),
  added_at: cql.timestamp,
  ...references,
});

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
  genres: cql.list(cql.text),
  publisher: cql.text.nullable(),
  pages: cql.int.nullable(),
  published_on: cql.text.nullable(),
  cover_url: cql.text.nullable(),
  average_rating: cql.double.nullable(),
  ratings_count: cql.int.nullable(),
  added_at: cql.timestamp,
  removed_at: cql.timestamp.nullable(),
  former: listing.nullable(),
  retitled: cql.boolean,
  relisted: cql.boolean,
  edited: cql.oneOf(['ADDED', 'UPDATED'], 'UPDATED').nullable(),
  edited_by: cql.uuid.nullable(),
  change_id: cql.uuid,
  ...references,
  description: cql.text.nullable(),
});
export type BookState = z.output<typeof state>;

/**
 * Returns the part of a book's state that `books_by_word` contains. The former listing and the last
 * editor are removed because they are internal, the description because it is long and a book has
 * 50 rows. The version is removed because recovery may raise it after the rows are written.
 */
export const listedState = (value: BookState): BookState => ({
  ...value,
  version: 0,
  former: null,
  edited: null,
  edited_by: null,
  description: null,
});

const encodeBook = encoderOf(state);

/**
 * Encodes {@link listedState} once. {@link insertByWord} writes it into a row for each prefix of a
 * word.
 */
export const encodeState = (cassandra: Cassandra, value: BookState): Promise<Buffer> =>
  encodeUdt(cassandra, 'book_state', encodeBook(listedState(value)));

const key = { book_id: cql.text };

// books: the source of truth.

export const bookStates = stateTable({ table: 'books', key, state });

export const selectBooks = selectAmong('books', 'book_id', { ...key, state });

// books_by_author, books_by_genre, books_by_series, books_by_word, and the lists of all books. The
// write timestamp is the version of the book.

const position = { popularity: cql.int, ...key };

export const booksOfAuthor = versionedList({
  table: 'books_by_author',
  partition: { author: cql.text },
  order: position,
  columns: { words: cql.text },
});

export const booksOfGenre = versionedList({
  table: 'books_by_genre',
  partition: { genre: cql.text },
  order: position,
  columns: { words: cql.text },
});

export const booksByPopularity = versionedList({
  table: 'books_by_popularity',
  partition: { magnitude: cql.int },
  several: 'magnitude',
  order: position,
  columns: {},
});

export const booksByTitle = versionedList({
  table: 'books_by_title',
  partition: { initial: cql.int },
  several: 'initial',
  order: { title_sort: cql.text, ...key },
  columns: {},
});

export const booksByYear = versionedList({
  table: 'books_by_published_year',
  partition: { period: cql.int },
  several: 'period',
  order: { published_year: cql.int, ...position },
  columns: {},
});

export const booksByAddition = versionedList({
  table: 'books_by_added_at',
  partition: { year: cql.int },
  several: 'year',
  order: { added_at: cql.timestamp, ...key },
  columns: {},
});

export const booksInSeries = versionedList({
  table: 'books_by_series',
  partition: { series: cql.text },
  order: { number_from: cql.int, number_to: cql.int, ...key },
  columns: { name: cql.text },
});

// editions_by_work, editions_by_isbn, book_by_source: lists as well.

export const editionsByWork = versionedList({
  table: 'editions_by_work',
  partition: { work_id: cql.text },
  order: position,
  columns: {},
});

export const selectBestEditions = statement({
  cql: `SELECT work_id, book_id FROM editions_by_work WHERE work_id IN :work_ids PER PARTITION LIMIT :rows_max`,
  params: { work_ids: cql.text.array(), rows_max: cql.int },
  row: cql.row({ work_id: cql.text, ...key }),
});

export const editionsByIsbn = versionedList({
  table: 'editions_by_isbn',
  partition: { isbn: cql.text },
  order: key,
  columns: {},
});

export const bookBySource = versionedList({
  table: 'book_by_source',
  partition: { source_id: cql.text },
  order: key,
  columns: {},
});

/** Reads the list by prefixes of words. Its rows contain the whole books. */
export const booksWithWord = versionedList({
  table: 'books_by_word',
  partition: { prefix: cql.text },
  order: position,
  columns: { words: cql.text, state },
});

/** Inserts a row with the encoded state, see {@link encodeState}. */
export const insertByWord = insertInto(
  'books_by_word',
  { prefix: cql.text, ...position, words: cql.text, state: z.instanceof(Buffer) },
  'TIMESTAMP',
);

// words_by_spelling: words by their spellings without one letter. No row is ever deleted.

export const spelledWords = {
  table: 'words_by_spelling',
  partition: { beginning: cql.text },
  order: { spelling: cql.text, word: cql.text },
  columns: {},
};

export const insertSpelling = insertInto('words_by_spelling', { ...spelledWords.partition, ...spelledWords.order });

export const selectWordsBySpelling = statement({
  cql: `SELECT word FROM words_by_spelling WHERE beginning = :beginning AND spelling IN :spellings LIMIT :rows_max`,
  params: { beginning: cql.text, spellings: cql.text.array(), rows_max: cql.int },
  row: cql.row({ word: cql.text }),
});

// genre_versions: the number of changes of a genre's books.

const genre = { genre: cql.text };

export const genreVersions = stateTable({ table: 'genre_versions', key: genre, state: cql.int });

// genres: the genres with their counts. The write timestamp is the version.

const genreKey = { all_genres: z.literal(0), ...genre };

export const genresByName = range({
  table: 'genres',
  partition: { all_genres: genreKey.all_genres },
  order: genre,
  columns: { name: cql.text, book_count: cql.int.nullable() },
});

export const updateGenre = statement({
  cql: `UPDATE genres USING TIMESTAMP :write_timestamp SET name = :name, version = :version
        WHERE all_genres = :all_genres AND genre = :genre`,
  params: { ...genreKey, name: cql.text, version: cql.int, write_timestamp: cql.bigint },
});

export const updateGenreCount = statement({
  cql: `UPDATE genres USING TIMESTAMP :write_timestamp SET book_count = :book_count, counted_version = :counted_version
        WHERE all_genres = :all_genres AND genre = :genre`,
  params: { ...genreKey, book_count: cql.int, counted_version: cql.int, write_timestamp: cql.bigint },
});

export const selectGenres = selectFrom(
  'genres',
  { all_genres: genreKey.all_genres },
  { ...genre, version: cql.int, counted_version: cql.int.nullable() },
  1_000,
);

export const selectGenreName = selectFrom('genres', genreKey, { name: cql.text.nullable() });

export const selectBooksOfGenre = selectFrom('books_by_genre', genre, key, 1_000);

// For audits and a migration.

/** The number of books on a page of a scan. A book has about 50 rows in the lists. */
export const BOOKS_PER_PAGE = 10;
export const scanBooks = ringScan('books', key, { ...key, state }, BOOKS_PER_PAGE);
