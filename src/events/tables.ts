import { z } from 'zod';
import { deleteFrom, insertInto, selectBetween, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { partitionScan } from '../cassandra/ring.ts';
import { statement } from '../cassandra/statement.ts';

/** The kinds of events. */
export const EVENT_KINDS = ['LIKE', 'VIEW', 'READ', 'SALE'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
/** The maximum number of kinds of a window that are read, with room for kinds of later releases. */
export const EVENT_KINDS_MAX = 2 * EVENT_KINDS.length;
/** The kind of an event. Kinds other than {@link EVENT_KINDS} are counted as well. */
const kind = cql.text;

// events: the single events. The write timestamp is the version of the state that the event follows
// from.

const minuteOfShard = { minute: cql.timestamp, shard: cql.int };
const event = { ...minuteOfShard, subject_id: cql.text, kind, event_id: cql.uuid };

export const insertEvent = insertInto('events', { ...event, at: cql.timestamp }, 'TIMESTAMP AND TTL');

export const deleteEvent = deleteFrom('events', event, 'TIMESTAMP');

/**
 * The events of a subject, minute by minute. Within a minute they are ordered by kind, not by time.
 */
export const eventsOfSubject = range({
  table: 'events',
  partition: { ...minuteOfShard, subject_id: cql.text },
  several: 'minute',
  located: { minute: cql.timestamp },
  order: { kind: cql.text, event_id: cql.uuid },
  columns: { at: cql.timestamp },
});

const count = z.object({ subject_id: cql.text, kind, event_count: cql.int });
export type EventCount = z.output<typeof count>;
const countRow = cql.row(count.shape);
const COUNTS_PER_PAGE = 1_000;
const EVENTS_PER_PAGE = 1_000;

/** Counts events in Cassandra, so that the rows themselves are not sent. */
export const countEvents = statement({
  cql: `SELECT subject_id, kind, CAST(count(*) AS int) AS event_count
        FROM events WHERE minute = :minute AND shard = :shard GROUP BY subject_id, kind`,
  params: minuteOfShard,
  row: countRow,
  rowsPerPage: COUNTS_PER_PAGE,
});

/** Reads one row per event, for a minute that is too large to be read without paging. */
export const selectEvents = selectFrom('events', minuteOfShard, { subject_id: cql.text, kind }, EVENTS_PER_PAGE);

/** Scans the minutes and shards that have events. */
export const scanEvents = partitionScan('events', minuteOfShard);

// dirty_windows: the minutes to be counted.

const bucketAndPart = { bucket: cql.timestamp, part: cql.int };
const dirtyWindow = { recorded_at: cql.timestamp, record_id: cql.uuid, ...minuteOfShard };
export type DirtyWindow = Values<typeof dirtyWindow>;
const DIRTY_WINDOWS_PER_PAGE = 1_000;

export const insertDirtyWindow = insertInto('dirty_windows', { ...bucketAndPart, ...dirtyWindow });

export const selectDirtyWindows = selectFrom('dirty_windows', bucketAndPart, dirtyWindow, DIRTY_WINDOWS_PER_PAGE);

export const deleteDirtyWindows = deleteFrom('dirty_windows', bucketAndPart);

// dirty_window_buckets: the buckets and parts that have dirty windows.

export const insertDirtyBucket = insertInto('dirty_window_buckets', { hour: cql.timestamp, ...bucketAndPart });

export const selectDirtyBuckets = statement({
  cql: `SELECT bucket, part FROM dirty_window_buckets WHERE hour = :hour AND bucket >= :at_least LIMIT :rows_max`,
  params: { hour: cql.timestamp, at_least: cql.timestamp, rows_max: cql.int },
  row: cql.row(bucketAndPart),
});

export const deleteDirtyBuckets = deleteFrom('dirty_window_buckets', { hour: cql.timestamp });

// dirty_windows_swept: the bucket before which no dirty windows are left.

export const selectSwept = selectFrom('dirty_windows_swept', { all_buckets: cql.int }, { bucket: cql.timestamp });

export const insertSwept = insertInto(
  'dirty_windows_swept',
  { all_buckets: cql.int, bucket: cql.timestamp },
  'TIMESTAMP',
);

// events_by_minute, events_by_hour, events_by_day: the counts. The write timestamp is the lease's.

const windowOfShard = { window_start: cql.timestamp, shard: cql.int };

/** Declares the statements for the counts of one granularity. */
const countsIn = (table: string) => ({
  table,
  insert: insertInto(table, { ...windowOfShard, ...count.shape }, 'TIMESTAMP AND TTL'),
  clear: deleteFrom(table, windowOfShard, 'TIMESTAMP'),
  select: selectFrom(table, windowOfShard, count.shape, COUNTS_PER_PAGE),
  scan: partitionScan(table, windowOfShard),
});

/** The statements by granularity. */
export const COUNTS = {
  MINUTE: countsIn('events_by_minute'),
  HOUR: countsIn('events_by_hour'),
  DAY: countsIn('events_by_day'),
} as const;

// activity_by_subject: the charts. The write timestamp is the lease's.

const ofSubject = { subject_id: cql.text, granularity: cql.text, period: cql.timestamp };
const point = { window_start: cql.timestamp, kind, event_count: cql.int };

/** `ttl_seconds`: 0 for a row that never expires. */
export const insertActivity = insertInto('activity_by_subject', { ...ofSubject, ...point }, 'TIMESTAMP AND TTL');

export const selectActivity = selectBetween('activity_by_subject', ofSubject, 'window_start', point);
export type PointOfKind = Values<typeof point>;

// site_activity_by_shard, site_activity: the charts of the whole site. The write timestamp is the
// lease's.

const windowOfSite = { granularity: cql.text, window_start: cql.timestamp };

export const insertSiteActivityOfShard = insertInto(
  'site_activity_by_shard',
  { ...windowOfSite, shard: cql.int, kind, event_count: cql.int },
  'TIMESTAMP AND TTL',
);

export const selectSiteActivityOfShards = selectFirst('site_activity_by_shard', windowOfSite, {
  kind,
  event_count: cql.int,
});

const ofSite = { granularity: cql.text, period: cql.timestamp };

/** `ttl_seconds`: 0 for a row that never expires. */
export const insertSiteActivity = insertInto('site_activity', { ...ofSite, ...point }, 'TIMESTAMP AND TTL');

export const selectSiteActivity = selectBetween('site_activity', ofSite, 'window_start', point);

// trending: the most liked subjects. The write timestamp is the lease's.

/** The UDT trend. */
const trend = z.object({ subject_id: cql.text, likes: cql.int });
export type Trend = z.output<typeof trend>;
const list = { last: cql.text, likeable_type: cql.text };

export const insertTrendingOfShard = insertInto(
  'trending_by_shard',
  { ...list, shard: cql.int, top: trend.array() },
  'TIMESTAMP',
);

export const selectTrendingOfShards = selectFirst(
  'trending_by_shard',
  { last: cql.text },
  { likeable_type: cql.text, shard: cql.int, top: cql.list(trend) },
);

export const insertTrending = insertInto('trending', { ...list, top: trend.array() }, 'TIMESTAMP');

export const selectTrending = selectFrom('trending', list, { top: cql.list(trend) });
