import { cql, statement } from '../cassandra/statement.ts';

export const insertEntry = statement({
  cql: `INSERT INTO transaction_log (minute, shard, transaction_id, kind, payload, begun_at)
        VALUES (:minute, :shard, :transaction_id, :kind, :payload, :begun_at)`,
  params: {
    minute: cql.timestamp,
    shard: cql.int,
    transaction_id: cql.uuid.param,
    kind: cql.text,
    payload: cql.text,
    begun_at: cql.timestamp,
  },
  idempotent: true,
});

export const deleteEntry = statement({
  cql: `DELETE FROM transaction_log WHERE minute = :minute AND shard = :shard AND transaction_id = :transaction_id`,
  params: { minute: cql.timestamp, shard: cql.int, transaction_id: cql.uuid.param },
  idempotent: true,
});

export const selectEntries = statement({
  cql: `SELECT minute, shard, transaction_id, kind, payload, begun_at FROM transaction_log
        WHERE minute = :minute AND shard = :shard LIMIT :entries_max`,
  params: { minute: cql.timestamp, shard: cql.int, entries_max: cql.int },
  row: cql.row({
    minute: cql.timestamp,
    shard: cql.int,
    transaction_id: cql.uuid.row,
    kind: cql.text,
    payload: cql.text,
    begun_at: cql.timestamp,
  }),
  idempotent: true,
});

export const selectSwept = statement({
  cql: `SELECT minute FROM transaction_log_swept WHERE shard = :shard`,
  params: { shard: cql.int },
  row: cql.row({ minute: cql.timestamp }),
  idempotent: true,
});

export const updateSwept = statement({
  cql: `UPDATE transaction_log_swept USING TIMESTAMP :write_timestamp SET minute = :minute WHERE shard = :shard`,
  params: { write_timestamp: cql.bigint, minute: cql.timestamp, shard: cql.int },
  idempotent: true,
});
