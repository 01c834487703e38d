import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { insertInto, selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { listedRows, ringScan } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

export const FATES = ['PENDING', 'MATCHED', 'AMBIGUOUS', 'UNLISTED', 'FAILED', 'NOT_KEPT'] as const;

const status = cql.oneOf(['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP'], 'READ');

/** The UDT import_shelf. */
const importShelf = z.object({ name: cql.text, lines: cql.int, becomes: status.nullable() });
export type ImportShelf = z.output<typeof importShelf>;

/** The UDT library_import_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  user_id: cql.uuid.nullable(),
  source: cql.oneOf(['GOODREADS', 'STORYGRAPH', 'LIBRARYTHING', 'HARDCOVER', 'BOOKWYRM'], 'GOODREADS'),
  status: cql.oneOf(['RECEIVING', 'RUNNING', 'DONE', 'UNDOING', 'UNDONE'], 'DONE'),
  lines: cql.int,
  begun_at: cql.timestamp,
  shelves: cql.list(importShelf),
  reviews: cql.int,
  publishes_reviews: cql.boolean,
  again: cql.oneOf(['ALL', 'SHELF', 'REVIEWS'], 'ALL').nullable(),
  again_shelf: cql.text.nullable(),
});
export type LibraryImportState = z.output<typeof state>;

const user = { user_id: cql.uuid };
const one = { import_id: cql.uuid };

// library_imports: the source of truth.

export const importStates = stateTable({ table: 'library_imports', key: one, state, ttlSeconds: ttlOf });

export const selectImports = selectAmong('library_imports', 'import_id', { ...one, state });

// library_imports_by_user: the list. The write timestamp is the version of the import.

export const importsByUser = versionedList({
  table: 'library_imports_by_user',
  partition: user,
  order: { begun_at: cql.timestamp, ...one },
  columns: {},
});

export const selectImportsOf = selectFrom('library_imports_by_user', user, { begun_at: cql.timestamp, ...one }, 100);

export const eraseImportsOf = erasing('library_imports_by_user', user);

// library_import_lines: lines are changed only by conditional writes: IF revision is the one that
// was read.

const order = { line: cql.int };
const place = { ...one, ...order };
const fate = cql.oneOf(FATES, 'PENDING');
const book_id = cql.text.nullable();
const outcome = { fate, reason: cql.text, book_id, candidates: cql.list(cql.text), former: cql.list(cql.text) };
/** The number of changes of all lines of an import; null before the first one. */
const revision = cql.int.nullable();
const inFile = { title: cql.text, authors: cql.list(cql.text), said: cql.text };
const storedLine = { ...order, said: cql.text, ...outcome };
const shownLine = { ...order, title: cql.text, authors: cql.list(cql.text), ...outcome };
export type ImportLineRow = Values<typeof shownLine>;

export const selectSomeLines = selectAmong('library_import_lines', 'line', storedLine, one);

export const shownLines = selectAmong('library_import_lines', 'line', shownLine, one);

/** Reads the columns that decide which lines are read with all columns. */
export const linePlaces = range({
  table: 'library_import_lines',
  partition: one,
  order,
  columns: { fate, book_id },
});

export type LinePlace = Values<typeof order> & {
  readonly fate: ImportLineRow['fate'];
  readonly book_id: string | null;
};

/** The condition of a change of lines. */
export const setRevision = statement({
  cql: 'UPDATE library_import_lines SET revision = :next WHERE import_id = :import_id IF revision = :current',
  params: { ...one, next: revision, current: revision },
});

export const selectRevision = statement({
  cql: 'SELECT revision FROM library_import_lines WHERE import_id = :import_id LIMIT :rows_max',
  params: { ...one, rows_max: cql.int },
  row: cql.row({ revision }),
  serialRead: true,
});

export const insertLine = insertInto('library_import_lines', { ...place, ...inFile, ...outcome });

export const updateLine = insertInto('library_import_lines', { ...place, ...outcome });

export const updateFate = insertInto('library_import_lines', { ...place, fate });

export const selectLineNow = selectFrom('library_import_lines', place, { said: cql.text, fate, revision });

/**
 * Reads the lines after one. Without that bound, an import without lines has a row of its revision
 * alone.
 */
export const selectLines = statement({
  cql: `SELECT ${Object.keys(storedLine).join(', ')} FROM library_import_lines
        WHERE import_id = :import_id AND line > :after`,
  params: { ...one, after: cql.int },
  row: cql.row(storedLine),
  rowsPerPage: 200,
});

export const eraseLines = erasing('library_import_lines', one);

// unlisted_books_by_user: the list. The write timestamp is the revision of the lines.

const title = { title_sort: cql.text, author_key: cql.text };
const shown = {
  begun_at: cql.timestamp,
  title: cql.text,
  authors: cql.list(cql.text),
  shelf: cql.text.nullable(),
  status: status.nullable(),
};

export const unlistedLines = versionedList({
  table: 'unlisted_books_by_user',
  partition: user,
  order: { ...title, ...place },
  columns: shown,
});

/**
 * Reads the places of the same rows by book: all lines about a book have one position. Many rows
 * may be searched for a page.
 */
export const unlistedBooks = range({
  table: 'unlisted_books_by_user',
  partition: user,
  order: title,
  columns: { ...place, begun_at: cql.timestamp, status: status.nullable() },
});
export type UnlistedPlace = UnlistedPosition & Values<typeof place> & Pick<Values<typeof shown>, 'begun_at' | 'status'>;
export type UnlistedPosition = Values<typeof title>;

export const eraseUnlistedOf = erasing('unlisted_books_by_user', user);

// awaited_books: the index of unmatched lines. The write timestamp is the revision of the lines.

export const awaitedBooks = versionedList({
  table: 'awaited_books',
  partition: { term: cql.text },
  order: place,
  columns: {},
});

export const selectAwaited = statement({
  cql: 'SELECT term FROM awaited_books WHERE term IN :terms PER PARTITION LIMIT :rows_max',
  params: { terms: cql.text.array(), rows_max: cql.int },
  row: cql.row({ term: cql.text }),
});

export const eraseAwaited = erasing('awaited_books', { term: cql.text, ...place });

// For audits.

export const rowsOfUnlisted = listedRows(unlistedLines, false);

export const scanLines = ringScan('library_import_lines', one, { ...one, line: cql.int });
