import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';

const key = { file_checksum: cql.text };
const done = { rows_done: cql.int, finished_at: cql.timestamp.nullable() };

export const selectImport = selectFrom('imports', key, done);

export const insertImport = insertInto('imports', { ...key, ...done });
