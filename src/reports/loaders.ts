import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectReports } from './tables.ts';

export const reportLoader = perRequest((context) =>
  rowLoader(
    (report_ids) => rows(context.cassandra, selectReports, { report_ids }),
    (row) => row.report_id,
  ),
);
