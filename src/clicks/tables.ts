import { insertInto, selectFrom } from '../cassandra/by-key.ts';
import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const partition = { session_id: cql.uuid, hour: cql.timestamp };
const kept = { ttl_seconds: cql.int };

// click_hours_by_session: which hours are not empty.

export const insertHour = insertInto('click_hours_by_session', partition, 'TTL');

export const selectHours = statement({
  cql: `SELECT hour FROM click_hours_by_session
        WHERE session_id = :session_id AND hour >= :from_hour AND hour <= :to_hour`,
  params: { session_id: cql.uuid, from_hour: cql.timestamp, to_hour: cql.timestamp },
  row: cql.row({ hour: cql.timestamp }),
});

// clicks_by_session: the clicks of an hour, and how many there are.

const click = { at: cql.timestamp, click_id: cql.uuid };

export const insertClick = insertInto(
  'clicks_by_session',
  { ...partition, ...click, target: cql.unlessNull(cql.text) },
  'TTL',
);

/** The first write of an hour. */
export const openHour = statement({
  cql: `UPDATE clicks_by_session USING TTL :ttl_seconds SET version = :next_version, click_count = :click_count
        WHERE session_id = :session_id AND hour = :hour IF version = null`,
  params: { ...partition, next_version: cql.int, click_count: cql.int, ...kept },
});

export const updateHour = statement({
  cql: `UPDATE clicks_by_session USING TTL :ttl_seconds SET version = :next_version, click_count = :click_count
        WHERE session_id = :session_id AND hour = :hour IF version = :current_version`,
  params: { ...partition, next_version: cql.int, click_count: cql.int, current_version: cql.int, ...kept },
});

/** Those of these clicks that are stored, with what the hour says of itself. */
export const selectStoredClicks = statement({
  cql: `SELECT at, click_id, version, click_count FROM clicks_by_session
        WHERE session_id = :session_id AND hour = :hour AND (at, click_id) IN :positions`,
  params: { ...partition, positions: cql.tuple(cql.timestamp, cql.uuid).array() },
  row: cql.row({ at: cql.timestamp, click_id: cql.uuid, version: cql.int, click_count: cql.int }),
  serialRead: true,
});

const target = { target: cql.text.nullable() };

export const clicks = range({ table: 'clicks_by_session', partition, order: click, columns: target });

export const selectClicks = selectFrom('clicks_by_session', partition, { ...click, ...target }, 500);

// For the erasure of an account.

export const eraseClicks = erasing('clicks_by_session', partition);

export const eraseHours = erasing('click_hours_by_session', { session_id: cql.uuid });
