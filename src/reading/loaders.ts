import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectReadingsOfViewer } from './tables.ts';

/** Loads the viewer's readings by book; none if the caller is signed out. */
export const viewerReadingLoader = perRequest((context) =>
  rowLoader(
    async (book_ids) => {
      const { viewerId: user_id } = context;
      return user_id === null ? [] : rows(context.cassandra, selectReadingsOfViewer, { user_id, book_ids });
    },
    (row) => row.book_id,
  ),
);
