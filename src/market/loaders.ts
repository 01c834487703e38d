import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectItems } from './tables.ts';

export const itemLoaders = (cassandra: Cassandra) => ({
  items: rowLoader(
    (item_ids) => rows(cassandra, selectItems, { item_ids }),
    (row) => row.item_id,
  ),
});
