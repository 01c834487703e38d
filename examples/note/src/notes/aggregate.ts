import { z } from 'zod';
import { aggregate } from '../aggregates/aggregate.ts';
import { write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { notedBooks, noteStates } from './tables.ts';

/** The kind of a note: its key, its states and their projections. */

const noteKey = z.strictObject({ userId: z.uuid(), bookId: z.string() });
export type NoteKey = z.infer<typeof noteKey>;

/** The source of truth for notes, and its projections. */
export const notes = aggregate({
  name: 'note',
  key: noteKey,
  table: noteStates,
  rowKey: ({ userId, bookId }) => ({ user_id: userId, book_id: bookId }),
  tombstone: { text: null, noted_at: null },
  owner: (app, { userId }) => accountNow(app, userId),
  erase: forgetNote,
  // A new note lacks the time of the former one, under which the list has it.
  forgets: (former, next) => former.noted_at?.getTime() !== next.noted_at?.getTime(),
  projections: ({ cassandra }, { userId, bookId }, { text, noted_at, version }) => {
    if (!noted_at) return [];
    const row = { user_id: userId, book_id: bookId, noted_at, version: BigInt(version) };
    const list = () =>
      text === null ? write(cassandra, notedBooks.delete, row) : write(cassandra, notedBooks.insert, { ...row, text });
    return [{ list }];
  },
});

/** Forgets a note of a deleted account. The reader's list is erased as a whole. */
export function forgetNote(app: AppContext, key: NoteKey): Promise<void> {
  return notes.forget(app, key);
}
