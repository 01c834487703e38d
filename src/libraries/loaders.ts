import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectLibraries } from './tables.ts';

export const libraryLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (library_ids) => rows(cassandra, selectLibraries, { library_ids }),
    (row) => row.library_id,
  ),
);
