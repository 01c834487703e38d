import { cql } from '../cassandra/columns.ts';
import type { ListTable } from '../cassandra/ring.ts';
import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

// notices_by_user: which things of a reader had news on which days.

const user = { user_id: cql.uuid };
const order = { day: cql.date, kind: cql.text, subject_id: cql.text };

/** The rows of notices_by_user, for audits. */
export const noticesByUser = {
  table: 'notices_by_user',
  partition: user,
  order,
  columns: { is_set: cql.boolean },
} as const satisfies ListTable;

/** It is an update, not an insert, so that the row disappears when its cell has expired. */
export const updateNotice = statement({
  cql: `UPDATE notices_by_user USING TTL :ttl_seconds SET is_set = :is_set
        WHERE user_id = :user_id AND day = :day AND kind = :kind AND subject_id = :subject_id`,
  params: { ...user, ...order, is_set: cql.boolean, ttl_seconds: cql.int },
});

/** Reads the rows from a day on, those of the newest day first. */
export const selectNotices = statement({
  cql: `SELECT day, kind, subject_id FROM notices_by_user
        WHERE user_id = :user_id AND day >= :first_day LIMIT :rows_max`,
  params: { ...user, first_day: cql.date, rows_max: cql.int },
  row: cql.row(order),
});

export const selectAllNotices = selectFrom('notices_by_user', user, order, 1_000);

export const eraseNotices = erasing('notices_by_user', user);

// notification_marks_by_user: the moment up to which a reader has read.

/** The write timestamp is the moment in microseconds. */
export const insertMark = insertInto('notification_marks_by_user', { ...user, read_until: cql.timestamp }, 'TIMESTAMP');

export const selectMark = selectFrom('notification_marks_by_user', user, { read_until: cql.timestamp });

export const eraseMark = erasing('notification_marks_by_user', user);
