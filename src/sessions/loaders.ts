import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectSessions } from './tables.ts';

export const sessionLoaders = (cassandra: Cassandra) => ({
  sessions: rowLoader(
    (session_ids) => rows(cassandra, selectSessions, { session_ids }),
    (row) => row.session_id,
  ),
});
