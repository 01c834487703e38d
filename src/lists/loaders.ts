import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { HEAD, selectLists } from './tables.ts';

/** Loads lists by their ids, including deleted ones. */
export const listLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (list_ids) => rows(cassandra, selectLists, { ...HEAD, list_ids }),
    ({ list_id }) => list_id,
  ),
);
