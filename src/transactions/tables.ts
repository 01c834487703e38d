import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

// transaction_log: what is under way.

const entry = { kind: cql.text, payload: cql.text, begun_at: cql.timestamp };
const logKey = { bucket: cql.timestamp, shard: cql.int };

export const insertEntry = statement({
  cql: `INSERT INTO transaction_log (bucket, shard, transaction_id, kind, payload, begun_at)
        VALUES (:bucket, :shard, :transaction_id, :kind, :payload, :begun_at)`,
  params: { ...logKey, transaction_id: cql.uuid, ...entry },
});

export const deleteEntry = statement({
  cql: `DELETE FROM transaction_log WHERE bucket = :bucket AND shard = :shard AND transaction_id = :transaction_id`,
  params: { ...logKey, transaction_id: cql.uuid },
});

export const selectEntries = statement({
  cql: `SELECT bucket, shard, transaction_id, kind, payload, begun_at FROM transaction_log
        WHERE bucket = :bucket AND shard = :shard LIMIT :entries_max`,
  params: { ...logKey, entries_max: cql.int },
  row: cql.row({ ...logKey, transaction_id: cql.uuid, ...entry }),
});

// transaction_log_swept: up to which bucket nothing is under way.

export const selectSwept = statement({
  cql: `SELECT bucket FROM transaction_log_swept WHERE shard = :shard`,
  params: { shard: cql.int },
  row: cql.row({ bucket: cql.timestamp }),
});

export const updateSwept = statement({
  cql: `UPDATE transaction_log_swept USING TIMESTAMP :write_timestamp SET bucket = :bucket WHERE shard = :shard`,
  params: { write_timestamp: cql.bigint, bucket: cql.timestamp, shard: cql.int },
});

// transaction_dead_letters: what could not be finished.

const deadLetters = { ...entry, reason: cql.text, dead_lettered_at: cql.timestamp };

export const insertDeadLetter = statement({
  cql: `INSERT INTO transaction_dead_letters (shard, transaction_id, kind, payload, begun_at, reason, dead_lettered_at)
        VALUES (:shard, :transaction_id, :kind, :payload, :begun_at, :reason, :dead_lettered_at)`,
  params: { shard: cql.int, transaction_id: cql.uuid, ...deadLetters },
});

export const deleteDeadLetter = statement({
  cql: `DELETE FROM transaction_dead_letters WHERE shard = :shard AND transaction_id = :transaction_id`,
  params: { shard: cql.int, transaction_id: cql.uuid },
});

export const selectDeadLetters = statement({
  cql: `SELECT shard, transaction_id, kind, payload, begun_at, reason, dead_lettered_at FROM transaction_dead_letters WHERE shard = :shard`,
  params: { shard: cql.int },
  row: cql.row({ shard: cql.int, transaction_id: cql.uuid, ...deadLetters }),
  rowsPerPage: 500,
});
