import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectBooks } from './tables.ts';

export const bookLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (book_ids) => rows(cassandra, selectBooks, { book_ids }),
    (row) => row.book_id,
  ),
);
