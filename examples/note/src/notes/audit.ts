import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { rows } from '../cassandra/statement.ts';
import { notes, type NoteKey } from './aggregate.ts';
import { rowsOfNotedBooks, scanNotes, selectNotesAmong, type NoteState } from './tables.ts';

/** Audits the lists of books with a note against the notes. */

const keyOf = ({ user_id, book_id }: { readonly user_id: string; readonly book_id: string }): NoteKey => ({
  userId: user_id,
  bookId: book_id,
});

const byNotedAt: ProjectedList<NoteKey, NoteState, undefined> = projectedList({
  rows: rowsOfNotedBooks,
  rowsOf: ({ userId, bookId }, { text, noted_at }) =>
    text === null || !noted_at ? [] : [{ user_id: userId, noted_at, book_id: bookId, text }],
  keyOf,
});

export const noteAudit: Audit = projectionAudit(
  {
    kind: 'notes',
    table: 'notes_by_user',
    partition: ['user_id'],
    ring: scanNotes,
    keyOf,
    nameOf: ({ userId, bookId }) => `user_id = ${userId} AND book_id = ${bookId}`,
    find: async ({ cassandra }, keys) => {
      const byReader = Map.groupBy(keys, ({ userId }) => userId);
      const found = await Promise.all(
        [...byReader].map(async ([user_id, ofReader]) => {
          const book_ids = ofReader.map(({ bookId }) => bookId);
          const states = await rows(cassandra, selectNotesAmong, { user_id, book_ids });
          return states.map(({ book_id, state }) => ({ key: keyOf({ user_id, book_id }), state }));
        }),
      );
      return found.flat();
    },
    read: notes.read,
    about: () => Promise.resolve(undefined),
    behind: ({ userId }) => [{ type: 'User', key: userId }],
    repair: notes.repair,
  },
  [byNotedAt],
);
