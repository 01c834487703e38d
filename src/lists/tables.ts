import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { deleteFrom, insertInto, selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';
import { storedAudience } from '../graphql/audience.ts';

/** The UDT book_list_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  owner_id: cql.uuid.nullable(),
  name: cql.text,
  description: cql.text,
  audience: storedAudience,
  created_at: cql.timestamp,
  entry_count: cql.int,
  taken_down_at: cql.timestamp.nullable(),
  taken_down_by: cql.uuid.nullable(),
  taken_down_reason: cql.text.nullable(),
});
export type BookListState = z.output<typeof state>;

const one = { list_id: cql.uuid };
const part = { ...one, part: cql.text };
const row = { ...part, place: cql.text };

// book_lists: the source of truth. A partition has three parts: the list itself, its entries by
// position, and its books by id.

export const HEAD = { part: 'LIST', place: '' } as const;
export const ENTRIES = { part: 'ENTRY' } as const;
export const BOOKS = { part: 'BOOK' } as const;

export const listStates = stateTable({ table: 'book_lists', key: one, at: HEAD, state, ttlSeconds: ttlOf });

export const selectLists = selectAmong('book_lists', 'list_id', { ...one, state }, { part: cql.text, place: cql.text });

const entry = { book_id: cql.text, note: cql.text, added_at: cql.timestamp };
const placed = { place: cql.text, ...entry };
export type EntryRow = Values<typeof placed>;

export const entriesInOrder = range({
  table: 'book_lists',
  partition: part,
  order: { place: cql.text },
  columns: entry,
});

export const insertEntry = insertInto('book_lists', { ...row, ...entry });

export const insertBook = insertInto('book_lists', { ...row, position: cql.text });

export const deleteRow = deleteFrom('book_lists', row);

export const deletePart = deleteFrom('book_lists', part);

// Serial reads for changes. They see every row of the state that was read serially before.

export const selectPositions = statement({
  cql: `SELECT place, position FROM book_lists WHERE list_id = :list_id AND part = :part AND place IN :places`,
  params: { ...part, places: cql.text.array() },
  row: cql.row({ place: cql.text, position: cql.text }),
  serialRead: true,
});

export const selectNext = statement({
  cql: `SELECT place FROM book_lists
        WHERE list_id = :list_id AND part = :part AND place > :above ORDER BY place ASC LIMIT 1`,
  params: { ...part, above: cql.text },
  row: cql.row({ place: cql.text }),
  serialRead: true,
});

export const selectLastBetween = statement({
  cql: `SELECT place, book_id, note, added_at FROM book_lists
        WHERE list_id = :list_id AND part = :part AND place > :above AND place < :below
        ORDER BY place DESC LIMIT :rows_max`,
  params: { ...part, above: cql.text, below: cql.text, rows_max: cql.int },
  row: cql.row(placed),
  serialRead: true,
});

export const selectEntry = statement({
  cql: `SELECT place, book_id, note, added_at FROM book_lists
        WHERE list_id = :list_id AND part = :part AND place = :place`,
  params: row,
  row: cql.row(placed),
  serialRead: true,
});

// lists_by_user: the lists. The write timestamp is the version of the list.

const user = { user_id: cql.uuid };

export const listsByUser = versionedList({
  table: 'lists_by_user',
  partition: user,
  order: { created_at: cql.timestamp, ...one },
  columns: {},
});

// For exports and erasures.

export const selectListsOf = selectFrom('lists_by_user', user, one, 100);

export const selectEntries = selectFrom('book_lists', part, entry, 1_000);

export const eraseListsOf = erasing('lists_by_user', user);
