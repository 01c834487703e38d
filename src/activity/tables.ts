import { cql, statement } from '../cassandra/statement.ts';

const key = { user_id: cql.uuid.param, month: cql.timestamp };
const position = { at: cql.timestamp, kind: cql.text, subject_id: cql.text };
const row = cql.row({ month: cql.timestamp, ...position });

export const insertAction = statement({
  cql: `INSERT INTO actions_by_user (user_id, month, at, kind, subject_id)
        VALUES (:user_id, :month, :at, :kind, :subject_id)`,
  params: { ...key, ...position },
  idempotent: true,
});

export const insertMonth = statement({
  cql: `INSERT INTO action_months_by_user (user_id, month) VALUES (:user_id, :month)`,
  params: key,
  idempotent: true,
});

export const selectMonths = statement({
  cql: `SELECT month FROM action_months_by_user WHERE user_id = :user_id AND month >= :from_month AND month <= :to_month`,
  params: { user_id: cql.uuid.param, from_month: cql.timestamp, to_month: cql.timestamp },
  row: cql.row({ month: cql.timestamp }),
  idempotent: true,
});

/** Newest first; a range of positions, both ends exclusive. */
export const selectActionsDescending = statement({
  cql: `SELECT month, at, kind, subject_id FROM actions_by_user WHERE user_id = :user_id AND month = :month
        AND (at, kind, subject_id) < (:below_at, :below_kind, :below_subject_id) AND (at) >= (:at_least)
        ORDER BY at DESC, kind DESC, subject_id DESC LIMIT :rows_max`,
  params: {
    ...key,
    below_at: cql.timestamp,
    below_kind: cql.text,
    below_subject_id: cql.text,
    at_least: cql.timestamp,
    rows_max: cql.int,
  },
  row,
  idempotent: true,
});

/** Oldest first; a range of positions, both ends exclusive. */
export const selectActionsAscending = statement({
  cql: `SELECT month, at, kind, subject_id FROM actions_by_user WHERE user_id = :user_id AND month = :month
        AND (at, kind, subject_id) > (:above_at, :above_kind, :above_subject_id) AND (at) < (:at_below)
        ORDER BY at ASC, kind ASC, subject_id ASC LIMIT :rows_max`,
  params: {
    ...key,
    above_at: cql.timestamp,
    above_kind: cql.text,
    above_subject_id: cql.text,
    at_below: cql.timestamp,
    rows_max: cql.int,
  },
  row,
  idempotent: true,
});
