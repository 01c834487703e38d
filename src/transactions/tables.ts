import { deleteFrom, insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';

// transaction_log: the unfinished transactions.

const tick = { incarnation: cql.uuid, tick: cql.int };
const content = { kind: cql.text, payload: cql.text, begun_at: cql.timestamp, request_id: cql.text };
const entry = { transaction_id: cql.uuid, ...content };

/**
 * The write timestamps of an entry and of its deletion. The deletion wins, even if it arrives
 * first.
 */
export const [WRITTEN, STRUCK_OUT] = [1n, 2n];

export const insertEntry = insertInto('transaction_log', { ...tick, ...entry }, 'TIMESTAMP');

export const deleteTick = deleteFrom('transaction_log', tick, 'TIMESTAMP');

export const selectEntries = selectFrom('transaction_log', tick, entry, 500);

// incarnations: the processes and their heartbeats.

const part = { part: cql.int };
/** The partition of all incarnations. Every process reads all of them. */
export const EVERYBODY = { part: 0 };

const incarnation = {
  incarnation: cql.uuid,
  beat: cql.int,
  open_ticks: cql.list(cql.int),
  takes_over: cql.boolean,
  release: cql.text,
};

export const insertBeat = insertInto('incarnations', { ...part, ...incarnation }, 'TIMESTAMP');

export const deleteIncarnation = deleteFrom(
  'incarnations',
  { ...part, incarnation: incarnation.incarnation },
  'TIMESTAMP',
);

/** `stamp` is the write timestamp of the beat. */
export const selectIncarnations = statement({
  cql: `SELECT incarnation, beat, open_ticks, takes_over, release, WRITETIME(beat) AS stamp
        FROM incarnations WHERE part = :part`,
  params: part,
  row: cql.row({ ...incarnation, stamp: cql.bigint }),
  rowsPerPage: 500,
});

// transaction_dead_letters: the transactions that could not be finished.

const deadLetterKey = { shard: cql.int, transaction_id: cql.uuid };
const deadLetter = { ...deadLetterKey, ...content, reason: cql.text, dead_lettered_at: cql.timestamp };

export const insertDeadLetter = insertInto('transaction_dead_letters', deadLetter);

export const deleteDeadLetter = deleteFrom('transaction_dead_letters', deadLetterKey);

/** Reads those of some shards. */
export const selectDeadLetters = statement({
  cql: `SELECT ${Object.keys(deadLetter).join(', ')} FROM transaction_dead_letters WHERE shard IN :shards`,
  params: { shards: cql.int.array() },
  row: cql.row(deadLetter),
  rowsPerPage: 500,
});
