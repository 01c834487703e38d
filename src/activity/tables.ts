import type { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

const key = { user_id: cql.uuid, month: cql.timestamp };
const position = { at: cql.timestamp, kind: cql.text, subject_id: cql.text };
const row = cql.row({ month: cql.timestamp, ...position });
export type ActionRow = z.output<typeof row>;

export const insertAction = statement({
  cql: `INSERT INTO actions_by_user (user_id, month, at, kind, subject_id)
        VALUES (:user_id, :month, :at, :kind, :subject_id)`,
  params: { ...key, ...position },
  idempotent: true,
});

/** `ttl_seconds`: 0 for one that stays. */
export const insertMonth = statement({
  cql: `INSERT INTO months_by_user (user_id, list, month) VALUES (:user_id, :list, :month) USING TTL :ttl_seconds`,
  params: { ...key, list: cql.text, ttl_seconds: cql.int },
  idempotent: true,
});

export const selectMonths = statement({
  cql: `SELECT month FROM months_by_user
        WHERE user_id = :user_id AND list = :list AND month >= :from_month AND month <= :to_month`,
  params: { user_id: cql.uuid, list: cql.text, from_month: cql.timestamp, to_month: cql.timestamp },
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

// For the erasure of an account.

export const eraseActions = statement({
  cql: `DELETE FROM actions_by_user USING TIMESTAMP :write_timestamp WHERE user_id = :user_id AND month = :month`,
  params: { ...key, write_timestamp: cql.bigint },
  idempotent: true,
});

export const eraseMonths = statement({
  cql: `DELETE FROM months_by_user USING TIMESTAMP :write_timestamp WHERE user_id = :user_id AND list = :list`,
  params: { user_id: cql.uuid, list: cql.text, write_timestamp: cql.bigint },
  idempotent: true,
});
