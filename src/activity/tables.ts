import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const key = { user_id: cql.uuid, month: cql.timestamp };
const position = { at: cql.timestamp, kind: cql.text, subject_id: cql.text };

export const insertAction = statement({
  cql: `INSERT INTO actions_by_user (user_id, month, at, kind, subject_id)
        VALUES (:user_id, :month, :at, :kind, :subject_id)`,
  params: { ...key, ...position },
});

/** `ttl_seconds`: 0 for one that stays. */
export const insertMonth = statement({
  cql: `INSERT INTO months_by_user (user_id, list, month) VALUES (:user_id, :list, :month) USING TTL :ttl_seconds`,
  params: { ...key, list: cql.text, ttl_seconds: cql.int },
});

export const selectMonths = statement({
  cql: `SELECT month FROM months_by_user
        WHERE user_id = :user_id AND list = :list AND month >= :from_month AND month <= :to_month`,
  params: { user_id: cql.uuid, list: cql.text, from_month: cql.timestamp, to_month: cql.timestamp },
  row: cql.row({ month: cql.timestamp }),
});

export const selectActions = statement({
  cql: `SELECT at, kind, subject_id FROM actions_by_user WHERE user_id = :user_id AND month = :month`,
  params: key,
  row: cql.row(position),
  rowsPerPage: 500,
});

export const actions = range({ table: 'actions_by_user', partition: key, order: position });

// For the erasure of an account.

export const eraseActions = erasing('actions_by_user', { user_id: cql.uuid, month: cql.timestamp });

export const eraseMonths = erasing('months_by_user', { user_id: cql.uuid, list: cql.text });
