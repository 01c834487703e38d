import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectListings } from './tables.ts';

export const itemLoader = perRequest((context) =>
  rowLoader(
    (item_ids) => rows(context.cassandra, selectListings, { item_ids }),
    (row) => row.item_id,
  ),
);
