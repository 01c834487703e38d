import { z } from 'zod';
import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const partition = { session_id: cql.uuid, hour: cql.timestamp };
export type Hour = Values<typeof partition>;
const kept = { ttl_seconds: cql.int };

/** The UDT click_property. */
const property = z.object({ name: cql.text, value: cql.text });
export type ClickProperty = z.output<typeof property>;

const written = {
  target: cql.unlessNull(cql.text),
  subject_id: cql.unlessNull(cql.text),
  properties: cql.unlessNull(property.array()),
};
const content = {
  target: cql.text.nullable(),
  subject_id: cql.text.nullable(),
  properties: cql.list(property),
};

const figures = { click_count: cql.int, last_click_at: cql.unlessNull(cql.timestamp) };

// click_hours_by_session: the hours that have clicks, and their figures. The write timestamp is the
// version of the hour.

export const insertHour = insertInto('click_hours_by_session', partition, 'TIMESTAMP AND TTL');

export const insertHourFigures = insertInto(
  'click_hours_by_session',
  { ...partition, ...figures },
  'TIMESTAMP AND TTL',
);

export const selectHours = statement({
  cql: `SELECT hour FROM click_hours_by_session
        WHERE session_id = :session_id AND hour >= :from_hour AND hour <= :to_hour`,
  params: { session_id: cql.uuid, from_hour: cql.timestamp, to_hour: cql.timestamp },
  row: cql.row({ hour: cql.timestamp }),
});

/** Sums over the hours of each session. */
export const selectFigures = statement({
  cql: `SELECT session_id, sum(click_count) AS click_count, max(last_click_at) AS last_click_at
        FROM click_hours_by_session WHERE session_id IN :session_ids GROUP BY session_id`,
  params: { session_ids: cql.uuid.array() },
  row: cql.row({ session_id: cql.uuid, click_count: cql.int, last_click_at: cql.timestamp.nullable() }),
});

export const eraseListedHour = erasing('click_hours_by_session', partition);

export const eraseHours = erasing('click_hours_by_session', { session_id: cql.uuid });

// clicks_by_session: the clicks of an hour, their number, and the moment of the latest click.

const click = { at: cql.timestamp, click_id: cql.uuid };

export const insertClick = insertInto('clicks_by_session', { ...partition, ...click, ...written }, 'TTL');

const UPDATE_HOUR = `UPDATE clicks_by_session USING TTL :ttl_seconds
        SET version = :next_version, click_count = :click_count, last_click_at = :last_click_at
        WHERE session_id = :session_id AND hour = :hour IF version`;
const update = { ...partition, ...figures, next_version: cql.int, ...kept };

/** Creates the state of an hour. */
export const openHour = statement({ cql: `${UPDATE_HOUR} = null`, params: update });

export const updateHour = statement({
  cql: `${UPDATE_HOUR} = :current_version`,
  params: { ...update, current_version: cql.int },
});

/** Selects the stored clicks among the given ones, with the state of the hour. */
export const selectStoredClicks = statement({
  cql: `SELECT at, click_id, target, subject_id, properties, version, click_count, last_click_at FROM clicks_by_session
        WHERE session_id = :session_id AND hour = :hour AND (at, click_id) IN :positions`,
  params: { ...partition, positions: cql.tuple(cql.timestamp, cql.uuid).array() },
  row: cql.row({
    ...click,
    ...content,
    version: cql.int,
    click_count: cql.int,
    last_click_at: cql.timestamp.nullable(),
  }),
  serialRead: true,
});

export const clicks = range({ table: 'clicks_by_session', partition, several: 'hour', order: click, columns: content });

export const selectClicks = selectFrom('clicks_by_session', partition, { ...click, ...content }, 500);

export const eraseClicks = erasing('clicks_by_session', partition);

// clicks_by_time: the clicks of all sessions.

const shardOfTime = { bucket: cql.timestamp, shard: cql.int };
const clickOfSession = { at: cql.timestamp, session_id: cql.uuid, click_id: cql.uuid };

export const insertClickByTime = insertInto('clicks_by_time', { ...shardOfTime, ...clickOfSession, ...written }, 'TTL');

export const clicksByTime = range({
  table: 'clicks_by_time',
  partition: shardOfTime,
  several: 'shard',
  located: { shard: cql.int },
  order: clickOfSession,
  columns: content,
});

export const eraseClickByTime = erasing('clicks_by_time', { ...shardOfTime, ...clickOfSession });

// click_buckets_by_day: the partitions of clicks_by_time that have clicks.

export const insertBucket = insertInto('click_buckets_by_day', { day: cql.timestamp, ...shardOfTime }, 'TTL');

export const selectBuckets = statement({
  cql: `SELECT bucket, shard
        FROM click_buckets_by_day WHERE day = :day AND bucket >= :from_bucket AND bucket <= :to_bucket`,
  params: { day: cql.timestamp, from_bucket: cql.timestamp, to_bucket: cql.timestamp },
  row: cql.row(shardOfTime),
});
