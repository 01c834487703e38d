import { cql } from '../cassandra/columns.ts';
import type { ListTable } from '../cassandra/ring.ts';
import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

// notices_by_user: which things of a reader had news on which days.

const user = { user_id: cql.uuid };
const newest = { newest_at: cql.timestamp };
const order = { day: cql.date, kind: cql.text, subject_id: cql.text };

/** The rows of notices_by_user, for audits. */
export const noticesByUser = {
  table: 'notices_by_user',
  partition: user,
  order,
  columns: newest,
} as const satisfies ListTable;

/** It is an update, not an insert, so that the row disappears when its cell has expired. */
export const updateNotice = statement({
  cql: `UPDATE notices_by_user USING TIMESTAMP :newest_micros AND TTL :ttl_seconds SET newest_at = :newest_at
        WHERE user_id = :user_id AND day = :day AND kind = :kind AND subject_id = :subject_id`,
  params: { ...user, ...order, ...newest, newest_micros: cql.bigint, ttl_seconds: cql.int },
});

/** Reads the rows from a day on, those of the newest day first. */
export const selectNotices = statement({
  cql: `SELECT day, kind, subject_id, newest_at FROM notices_by_user
        WHERE user_id = :user_id AND day >= :first_day LIMIT :rows_max`,
  params: { ...user, first_day: cql.date, rows_max: cql.int },
  row: cql.row({ ...order, ...newest }),
});

export const selectAllNotices = selectFrom('notices_by_user', user, order, 1_000);

export const eraseNotices = erasing('notices_by_user', user);

// notification_marks_by_user: the moment up to which a reader has read.

/** The write timestamp is the moment in microseconds. */
export const insertMark = insertInto('notification_marks_by_user', { ...user, read_until: cql.timestamp }, 'TIMESTAMP');

export const selectMark = selectFrom('notification_marks_by_user', user, { read_until: cql.timestamp });

export const eraseMark = erasing('notification_marks_by_user', user);
