import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectLibraries } from './tables.ts';

export const libraryLoader = perRequest((context) =>
  rowLoader(
    (library_ids) => rows(context.cassandra, selectLibraries, { library_ids }),
    (row) => row.library_id,
  ),
);
