import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectUsers } from './tables.ts';

export const accountLoaders = (cassandra: Cassandra) => ({
  users: rowLoader(
    (user_ids) => rows(cassandra, selectUsers, { user_ids }),
    (row) => row.user_id,
  ),
});
