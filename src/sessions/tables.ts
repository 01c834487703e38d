import { z } from 'zod';
import { selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';
import { DAY_SECONDS } from '../time/units.ts';

/** The UDT session_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  device: cql.text.nullable(),
  started_at: cql.timestamp.nullable(),
  logged_in_at: cql.timestamp.nullable(),
  logged_in_by: cql.oneOf(['LOGIN', 'REGISTER'], 'LOGIN').nullable(),
  active_at: cql.timestamp.nullable(),
  expires_at: cql.timestamp.nullable(),
  ended_at: cql.timestamp.nullable(),
  ended_by: cql.oneOf(['READER', 'PASSWORD_CHANGE', 'TOKEN_REUSE', 'SUSPENSION', 'ERASURE'], 'READER').nullable(),
  refresh_hash: cql.text.nullable(),
  former_refresh_hash: cql.text.nullable(),
  refreshed_at: cql.timestamp.nullable(),
  change_id: cql.uuid,
  user_id: cql.uuid.nullable(),
});
export type SessionState = z.output<typeof state>;

const key = { session_id: cql.uuid };

// sessions_by_id: the source of truth.

/** The time after which the session of a visitor who never logged in is removed. */
const ANONYMOUS_KEPT_SECONDS = 30 * DAY_SECONDS;

export const sessionStates = stateTable({
  table: 'sessions_by_id',
  key,
  state,
  ttlSeconds: ({ user_id }) => (user_id === null ? ANONYMOUS_KEPT_SECONDS : 0),
});

export const selectSessions = selectAmong('sessions_by_id', 'session_id', { ...key, state });

// sessions_by_user: the list. The write timestamp is the version of the session.

const partition = { user_id: cql.uuid, month: cql.timestamp };
const position = { started_at: cql.timestamp, session_id: cql.uuid };
const span = { active_at: cql.timestamp, expires_at: cql.timestamp };

// A device is never removed, and a session ends once.
const listed = { ...span, device: cql.unlessNull(cql.text), ended_at: cql.unlessNull(cql.timestamp) };

export const sessionsByStart = versionedList({
  table: 'sessions_by_user',
  partition,
  several: 'month',
  order: position,
  columns: listed,
});

export const selectSessionsOfMonth = selectFrom('sessions_by_user', partition, { ...position, ...listed }, 100);

export const eraseSessionsOfUser = erasing('sessions_by_user', partition);
