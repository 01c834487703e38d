import { deleteFrom, insertInto, selectFrom } from '../cassandra/by-key.ts';
import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

// transaction_log: what is under way.

const entry = { kind: cql.text, payload: cql.text, begun_at: cql.timestamp };
const bucket = { bucket: cql.timestamp, shard: cql.int };
const entryKey = { ...bucket, transaction_id: cql.uuid };

export const insertEntry = insertInto('transaction_log', { ...entryKey, ...entry });

export const deleteEntry = deleteFrom('transaction_log', entryKey);

export const selectEntries = statement({
  cql: `SELECT bucket, shard, transaction_id, kind, payload, begun_at FROM transaction_log
        WHERE bucket = :bucket AND shard = :shard LIMIT :entries_max`,
  params: { ...bucket, entries_max: cql.int },
  row: cql.row({ ...entryKey, ...entry }),
});

// transaction_log_swept: up to which bucket nothing is under way.

export const selectSwept = selectFrom('transaction_log_swept', { shard: cql.int }, { bucket: cql.timestamp });

export const updateSwept = statement({
  cql: `UPDATE transaction_log_swept USING TIMESTAMP :write_timestamp SET bucket = :bucket WHERE shard = :shard`,
  params: { write_timestamp: cql.bigint, bucket: cql.timestamp, shard: cql.int },
});

// transaction_dead_letters: what could not be finished.

const deadLetterKey = { shard: cql.int, transaction_id: cql.uuid };
const deadLetter = { ...deadLetterKey, ...entry, reason: cql.text, dead_lettered_at: cql.timestamp };

export const insertDeadLetter = insertInto('transaction_dead_letters', deadLetter);

export const deleteDeadLetter = deleteFrom('transaction_dead_letters', deadLetterKey);

export const selectDeadLetters = selectFrom('transaction_dead_letters', { shard: cql.int }, deadLetter, 500);
