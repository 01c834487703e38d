import type { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

const partition = { user_id: cql.uuid, month: cql.timestamp };
const position = { at: cql.timestamp, event_id: cql.uuid };

/** `ttl_seconds`: 0 for one that stays. */
export const insertEvent = statement({
  cql: `INSERT INTO security_events_by_user (user_id, month, at, event_id, kind, address, session_id)
        VALUES (:user_id, :month, :at, :event_id, :kind, :address, :session_id) USING TTL :ttl_seconds`,
  params: {
    ...partition,
    ...position,
    kind: cql.text,
    address: cql.unlessNull(cql.text),
    session_id: cql.unlessNull(cql.uuid),
    ttl_seconds: cql.int,
  },
  idempotent: true,
});

const slice = { ...partition, ...position, rows_max: cql.int };
const row = cql.row({
  at: cql.timestamp,
  event_id: cql.uuid,
  kind: cql.text,
  address: cql.text.nullable(),
  session_id: cql.uuid.nullable(),
});
export type EventRow = z.output<typeof row>;

/** Newest first, below a position and not before a moment. */
export const selectEventsDescending = statement({
  cql: `SELECT at, event_id, kind, address, session_id FROM security_events_by_user WHERE user_id = :user_id AND month = :month
        AND (at, event_id) < (:at, :event_id) AND (at) >= (:at_least)
        ORDER BY at DESC, event_id DESC LIMIT :rows_max`,
  params: { ...slice, at_least: cql.timestamp },
  row,
  idempotent: true,
});

/** Oldest first, above a position and before a moment. */
export const selectEventsAscending = statement({
  cql: `SELECT at, event_id, kind, address, session_id FROM security_events_by_user WHERE user_id = :user_id AND month = :month
        AND (at, event_id) > (:at, :event_id) AND (at) < (:at_below)
        ORDER BY at ASC, event_id ASC LIMIT :rows_max`,
  params: { ...slice, at_below: cql.timestamp },
  row,
  idempotent: true,
});

export const eraseEvents = statement({
  cql: `DELETE FROM security_events_by_user USING TIMESTAMP :write_timestamp WHERE user_id = :user_id AND month = :month`,
  params: { ...partition, write_timestamp: cql.bigint },
  idempotent: true,
});
