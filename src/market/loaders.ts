import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectItems } from './tables.ts';

export const itemLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (item_ids) => rows(cassandra, selectItems, { item_ids }),
    (row) => row.item_id,
  ),
);
