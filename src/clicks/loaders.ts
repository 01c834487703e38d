import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectFigures } from './tables.ts';

/** Loads the click figures of sessions. */
export const clickFigureLoader = perRequest((context) =>
  rowLoader(
    (session_ids) => rows(context.cassandra, selectFigures, { session_ids }),
    (row) => row.session_id,
  ),
);
