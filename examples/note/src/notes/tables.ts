import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT note_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  text: cql.text.nullable(),
  noted_at: cql.timestamp.nullable(),
});
export type NoteState = z.output<typeof state>;

const ofReader = { user_id: cql.uuid };
const key = { ...ofReader, book_id: cql.text };

// notes_by_user: the source of truth.

export const noteStates = stateTable({
  table: 'notes_by_user',
  key,
  partition: ofReader,
  state,
  ttlSeconds: ttlOf,
});

/** Reads a reader's notes of some books. */
export const selectNotesAmong = selectAmong('notes_by_user', 'book_id', { book_id: cql.text, state }, ofReader);

/** Reads all notes of an account, for its export and erasure. */
export const selectNotes = selectFrom('notes_by_user', ofReader, { book_id: cql.text, state }, 200);

// notes_by_user_by_noted_at: a reader's list. The write timestamp is the version of the state.

export const notedBooks = versionedList({
  table: 'notes_by_user_by_noted_at',
  partition: ofReader,
  order: { noted_at: cql.timestamp, book_id: cql.text },
  columns: { text: cql.text },
});

export const eraseNotedBooks = erasing('notes_by_user_by_noted_at', ofReader);
