import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectReadingsOfViewer } from './tables.ts';

export const readingLoaders = (cassandra: Cassandra, viewerIdNow: () => string | null) => ({
  readingsOfViewer: rowLoader(
    async (book_ids) => {
      const user_id = viewerIdNow();
      return user_id === null ? [] : rows(cassandra, selectReadingsOfViewer, { user_id, book_ids });
    },
    (row) => row.book_id,
  ),
});
