import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectUsers } from './tables.ts';

export const userLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (user_ids) => rows(cassandra, selectUsers, { user_ids }),
    (row) => row.user_id,
  ),
);
