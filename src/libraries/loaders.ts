import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectLibraries } from './tables.ts';

export const libraryLoaders = (cassandra: Cassandra) => ({
  libraries: rowLoader(
    (library_ids) => rows(cassandra, selectLibraries, { library_ids }),
    (row) => row.library_id,
  ),
});
