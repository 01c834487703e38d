import { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

/** What can happen. */
export const EVENT_KINDS = ['LIKE', 'VIEW', 'READ', 'SALE'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
const kind = z.enum(EVENT_KINDS);

// events: what happened. The write timestamp is the version of what it follows from.

const minuteOfShard = { minute: cql.timestamp, shard: cql.int };
const event = { ...minuteOfShard, subject_id: cql.text, kind, event_id: cql.uuid };

export const insertEvent = statement({
  cql: `INSERT INTO events (minute, shard, subject_id, kind, event_id)
        VALUES (:minute, :shard, :subject_id, :kind, :event_id) USING TIMESTAMP :version AND TTL :ttl_seconds`,
  params: { ...event, version: cql.bigint, ttl_seconds: cql.int },
});

export const deleteEvent = statement({
  cql: `DELETE FROM events USING TIMESTAMP :version WHERE minute = :minute AND shard = :shard
        AND subject_id = :subject_id AND kind = :kind AND event_id = :event_id`,
  params: { ...event, version: cql.bigint },
});

const count = z.object({ subject_id: cql.text, kind, event_count: cql.int });
export type EventCount = z.output<typeof count>;
const countRow = cql.row(count.shape);
const COUNTS_PER_PAGE = 1_000;

/** Counted by Cassandra: the rows themselves stay there. */
export const countEvents = statement({
  cql: `SELECT subject_id, kind, CAST(count(*) AS int) AS event_count FROM events WHERE minute = :minute AND shard = :shard
        GROUP BY subject_id, kind`,
  params: minuteOfShard,
  row: countRow,
  rowsPerPage: COUNTS_PER_PAGE,
});

// event_marks: which minutes are to be counted.

const mark = { marked_at: cql.timestamp, mark_id: cql.uuid };
const markRow = cql.row({ ...mark, ...minuteOfShard });
export type EventMark = z.output<typeof markRow>;

export const insertMark = statement({
  cql: `INSERT INTO event_marks (part, marked_at, mark_id, minute, shard)
        VALUES (:part, :marked_at, :mark_id, :minute, :shard)`,
  params: { part: cql.int, ...mark, ...minuteOfShard },
});

export const selectMarks = statement({
  cql: `SELECT marked_at, mark_id, minute, shard FROM event_marks WHERE part = :part LIMIT :rows_max`,
  params: { part: cql.int, rows_max: cql.int },
  row: markRow,
});

export const deleteMark = statement({
  cql: `DELETE FROM event_marks WHERE part = :part AND marked_at = :marked_at AND mark_id = :mark_id`,
  params: { part: cql.int, ...mark },
});

// events_by_minute, events_by_hour, events_by_day: how many there were. The write timestamp is the lease's.

const windowOfShard = { window_start: cql.timestamp, shard: cql.int };
const counted = { ...windowOfShard, ...count.shape, write_timestamp: cql.bigint, ttl_seconds: cql.int };
const cleared = { ...windowOfShard, write_timestamp: cql.bigint };

const insertByMinute = statement({
  cql: `INSERT INTO events_by_minute (window_start, shard, subject_id, kind, event_count)
        VALUES (:window_start, :shard, :subject_id, :kind, :event_count) USING TIMESTAMP :write_timestamp AND TTL :ttl_seconds`,
  params: counted,
});
const insertByHour = statement({
  cql: `INSERT INTO events_by_hour (window_start, shard, subject_id, kind, event_count)
        VALUES (:window_start, :shard, :subject_id, :kind, :event_count) USING TIMESTAMP :write_timestamp AND TTL :ttl_seconds`,
  params: counted,
});
const insertByDay = statement({
  cql: `INSERT INTO events_by_day (window_start, shard, subject_id, kind, event_count)
        VALUES (:window_start, :shard, :subject_id, :kind, :event_count) USING TIMESTAMP :write_timestamp AND TTL :ttl_seconds`,
  params: counted,
});

const clearMinute = statement({
  cql: `DELETE FROM events_by_minute USING TIMESTAMP :write_timestamp WHERE window_start = :window_start AND shard = :shard`,
  params: cleared,
});
const clearHour = statement({
  cql: `DELETE FROM events_by_hour USING TIMESTAMP :write_timestamp WHERE window_start = :window_start AND shard = :shard`,
  params: cleared,
});
const clearDay = statement({
  cql: `DELETE FROM events_by_day USING TIMESTAMP :write_timestamp WHERE window_start = :window_start AND shard = :shard`,
  params: cleared,
});

const selectByMinute = statement({
  cql: `SELECT subject_id, kind, event_count FROM events_by_minute WHERE window_start = :window_start AND shard = :shard`,
  params: windowOfShard,
  row: countRow,
  rowsPerPage: COUNTS_PER_PAGE,
});
const selectByHour = statement({
  cql: `SELECT subject_id, kind, event_count FROM events_by_hour WHERE window_start = :window_start AND shard = :shard`,
  params: windowOfShard,
  row: countRow,
  rowsPerPage: COUNTS_PER_PAGE,
});
const selectByDay = statement({
  cql: `SELECT subject_id, kind, event_count FROM events_by_day WHERE window_start = :window_start AND shard = :shard`,
  params: windowOfShard,
  row: countRow,
  rowsPerPage: COUNTS_PER_PAGE,
});

/** The statements of each level. */
export const LEVELS = {
  MINUTE: { insert: insertByMinute, clear: clearMinute, select: selectByMinute },
  HOUR: { insert: insertByHour, clear: clearHour, select: selectByHour },
  DAY: { insert: insertByDay, clear: clearDay, select: selectByDay },
} as const;

// activity_by_subject: for charts.

const ofSubject = { subject_id: cql.text, granularity: cql.text, period: cql.timestamp };

/** `ttl_seconds`: 0 for one that stays. */
export const insertActivity = statement({
  cql: `INSERT INTO activity_by_subject (subject_id, granularity, period, window_start, kind, event_count)
        VALUES (:subject_id, :granularity, :period, :window_start, :kind, :event_count)
        USING TIMESTAMP :write_timestamp AND TTL :ttl_seconds`,
  params: {
    ...ofSubject,
    window_start: cql.timestamp,
    kind,
    event_count: cql.int,
    write_timestamp: cql.bigint,
    ttl_seconds: cql.int,
  },
});

export const selectActivity = statement({
  cql: `SELECT window_start, kind, event_count FROM activity_by_subject
        WHERE subject_id = :subject_id AND granularity = :granularity AND period = :period
        AND window_start >= :at_least AND window_start < :below LIMIT :rows_max`,
  params: { ...ofSubject, at_least: cql.timestamp, below: cql.timestamp, rows_max: cql.int },
  row: cql.row({ window_start: cql.timestamp, kind, event_count: cql.int }),
});

// trending: what is liked most. The write timestamp is the lease's.

/** The UDT trend. */
const trend = z.object({ subject_id: cql.text, likes: cql.int });
export type Trend = z.output<typeof trend>;
const list = { last: cql.text, thing: cql.text };

export const insertTrendingOfShard = statement({
  cql: `INSERT INTO trending_by_shard (last, thing, shard, top) VALUES (:last, :thing, :shard, :top) USING TIMESTAMP :write_timestamp`,
  params: { ...list, shard: cql.int, top: trend.array(), write_timestamp: cql.bigint },
});

export const selectTrendingOfShards = statement({
  cql: `SELECT thing, shard, top FROM trending_by_shard WHERE last = :last LIMIT :rows_max`,
  params: { last: cql.text, rows_max: cql.int },
  row: cql.row({ thing: cql.text, shard: cql.int, top: cql.list(trend) }),
});

export const insertTrending = statement({
  cql: `INSERT INTO trending (last, thing, top) VALUES (:last, :thing, :top) USING TIMESTAMP :write_timestamp`,
  params: { ...list, top: trend.array(), write_timestamp: cql.bigint },
});

export const selectTrending = statement({
  cql: `SELECT top FROM trending WHERE last = :last AND thing = :thing`,
  params: list,
  row: cql.row({ top: cql.list(trend) }),
});
