import { z } from 'zod';
import { aggregate } from '../aggregates/aggregate.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { batch } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { notedBooks, noteStates, type NoteState } from './tables.ts';

/** The kind of a note: its key, its states and their projections. */

const noteKey = z.strictObject({ userId: z.uuid(), bookId: z.string() });
export type NoteKey = z.infer<typeof noteKey>;

const placesOf = ({ userId, bookId }: NoteKey, { noted_at }: NoteState) =>
  noted_at ? [{ user_id: userId, noted_at, book_id: bookId }] : [];

/** The list of each reader's notes. */
export const byNotedAt = projectedList(notedBooks, {
  rowsOf: (key: NoteKey, state: NoteState) => {
    const { text } = state;
    return text === null ? [] : placesOf(key, state).map((place) => ({ ...place, text }));
  },
  formerKeysOf: placesOf,
});

/** The source of truth for notes, and its projections. */
export const notes = aggregate({
  name: 'note',
  key: noteKey,
  table: noteStates,
  rowKey: ({ userId, bookId }) => ({ user_id: userId, book_id: bookId }),
  tombstone: { text: null, noted_at: null },
  projectionContext: (app, { userId }) => accountNow(app, userId),
  erase: forgetNote,
  // A new note no longer has the time of the former one, which is in the key of its row in the
  // list.
  needsFormerProjection: (former, next) => former.noted_at?.getTime() !== next.noted_at?.getTime(),
  projections: ({ cassandra }, key, state) =>
    state.noted_at ? [{ list: () => batch(cassandra, byNotedAt.writes(key, state, undefined)) }] : [],
});

/** Forgets a note of a deleted account. The reader's list is erased as a whole. */
export function forgetNote(app: AppContext, key: NoteKey): Promise<void> {
  return notes.forget(app, key);
}
