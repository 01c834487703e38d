import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectBooks } from './tables.ts';

export const bookLoaders = (cassandra: Cassandra) => ({
  books: rowLoader(
    (book_ids) => rows(cassandra, selectBooks, { book_ids }),
    (row) => row.book_id,
  ),
});
