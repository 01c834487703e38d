import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectSessions } from './tables.ts';

export const sessionLoader = perRequest((context) =>
  rowLoader(
    (session_ids) => rows(context.cassandra, selectSessions, { session_ids }),
    (row) => row.session_id,
  ),
);
