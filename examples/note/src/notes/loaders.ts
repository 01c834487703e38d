import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectNotesAmong } from './tables.ts';

/** Loads the viewer's notes by book; none if the caller is signed out. */
export const viewerNoteLoader = perRequest((context) =>
  rowLoader(
    async (book_ids) => {
      const { viewerId: user_id } = context;
      return user_id === null ? [] : rows(context.cassandra, selectNotesAmong, { user_id, book_ids });
    },
    (row) => row.book_id,
  ),
);
