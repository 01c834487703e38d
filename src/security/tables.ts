import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

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
});

const event = { kind: cql.text, address: cql.text.nullable(), session_id: cql.uuid.nullable() };

export const securityEvents = range({ table: 'security_events_by_user', partition, order: position, columns: event });

export const selectEvents = statement({
  cql: `SELECT at, kind, address, session_id FROM security_events_by_user WHERE user_id = :user_id AND month = :month`,
  params: partition,
  row: cql.row({ at: cql.timestamp, ...event }),
  rowsPerPage: 500,
});

export const eraseEvents = erasing('security_events_by_user', { user_id: cql.uuid, month: cql.timestamp });
