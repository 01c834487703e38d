import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const partition = { user_id: cql.uuid, month: cql.timestamp };
const position = { at: cql.timestamp, event_id: cql.uuid };

const written = { kind: cql.text, session_id: cql.unlessNull(cql.uuid) };

export const insertEvent = insertInto('security_events_by_user', { ...partition, ...position, ...written }, 'TTL');

/** The address has its own TTL, because it is removed before the rest of its event. */
export const updateAddress = statement({
  cql: `UPDATE security_events_by_user USING TTL :ttl_seconds SET address = :address
        WHERE user_id = :user_id AND month = :month AND at = :at AND event_id = :event_id`,
  params: { ...partition, ...position, address: cql.text, ttl_seconds: cql.int },
});

const event = { kind: cql.text, address: cql.text.nullable(), session_id: cql.uuid.nullable() };

export const securityEvents = range({
  table: 'security_events_by_user',
  partition,
  several: 'month',
  order: position,
  columns: event,
});

export const selectEvents = selectFrom('security_events_by_user', partition, { at: cql.timestamp, ...event }, 500);

export const eraseEvents = erasing('security_events_by_user', partition);
