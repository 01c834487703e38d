import { isTombstone } from '../aggregates/state.ts';
import { each, page } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetNote } from './aggregate.ts';
import { eraseNotedBooks, selectNotes } from './tables.ts';

async function* notesOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { book_id, state } of each(cassandra, selectNotes, { user_id })) {
    if (isTombstone(state)) continue;
    const { text, noted_at, changed_at } = state;
    yield { book: book_id, text, notedAt: noted_at, changedAt: changed_at };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'notes_by_user_by_noted_at',
    exported: 'a projection of notes_by_user',
    erased: erasedBy(eraseNotedBooks, 'user_id'),
  },
  {
    table: 'notes_by_user',
    exported: notesOfUser,
    erased: async (app, userId, after) => {
      const some = await page(app.cassandra, selectNotes, { user_id: userId }, after);
      // Concurrent conditional writes in one partition would contend.
      for (const { book_id } of some.rows) await forgetNote(app, { userId, bookId: book_id });
      return some.pageState;
    },
  },
];
