import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

export const selectImport = statement({
  cql: `SELECT rows_done, finished_at FROM imports WHERE file_checksum = :file_checksum`,
  params: { file_checksum: cql.text },
  row: cql.row({ rows_done: cql.int, finished_at: cql.timestamp.nullable() }),
});

export const insertImport = statement({
  cql: `INSERT INTO imports (file_checksum, rows_done, finished_at) VALUES (:file_checksum, :rows_done, :finished_at)`,
  params: { file_checksum: cql.text, rows_done: cql.int, finished_at: cql.timestamp.nullable() },
});
