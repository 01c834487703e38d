import { insertInto } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';

// changes_by_time: the announcements of recent changes.

const changed = { kind: cql.text, begins_at: cql.timestamp, key: cql.text };

export const insertChange = insertInto('changes_by_time', changed);

/** Reads the first changes of each kind and partition. */
export const selectChanges = statement({
  cql: `SELECT kind, begins_at, key FROM changes_by_time WHERE kind IN :kinds AND begins_at IN :moments
        PER PARTITION LIMIT :rows_max`,
  params: { kinds: cql.text.array(), moments: cql.timestamp.array(), rows_max: cql.int },
  row: cql.row(changed),
});
