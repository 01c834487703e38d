import { insertInto, selectFrom } from '../cassandra/by-key.ts';
import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { erasing } from '../erasure/erasing.ts';

const partition = { user_id: cql.uuid, month: cql.timestamp };
const position = { at: cql.timestamp, event_id: cql.uuid };

const written = { kind: cql.text, address: cql.unlessNull(cql.text), session_id: cql.unlessNull(cql.uuid) };

export const insertEvent = insertInto('security_events_by_user', { ...partition, ...position, ...written }, 'TTL');

const event = { kind: cql.text, address: cql.text.nullable(), session_id: cql.uuid.nullable() };

export const securityEvents = range({ table: 'security_events_by_user', partition, order: position, columns: event });

export const selectEvents = selectFrom('security_events_by_user', partition, { at: cql.timestamp, ...event }, 500);

export const eraseEvents = erasing('security_events_by_user', partition);
