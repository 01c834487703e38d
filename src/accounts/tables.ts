import { z } from 'zod';
import { selectFrom } from '../cassandra/by-key.ts';
import { cql } from '../cassandra/codecs.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { AUDIENCES } from '../graphql/audience.ts';

const role = z.literal('ADMINISTRATOR').nullable();

/** The UDT account_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  email: cql.text,
  email_changed_at: cql.timestamp.nullable(),
  password_hash: cql.text,
  password_changed_at: cql.timestamp.nullable(),
  full_name: cql.text,
  name_version: cql.int,
  registered_at: cql.timestamp,
  erased_at: cql.timestamp.nullable(),
  role,
  role_changed_at: cql.timestamp.nullable(),
  likes_audience: z.enum(AUDIENCES),
  readings_audience: z.enum(AUDIENCES),
  change_id: cql.uuid,
  email_reservation_id: cql.uuid,
  email_session_id: cql.uuid.nullable(),
  kept_session_id: cql.uuid.nullable(),
});
export type AccountState = z.output<typeof state>;

const key = { user_id: cql.uuid };

// users_by_id: the source of truth.

export const accountStates = stateTable({ table: 'users_by_id', key, state });

/** An account, password included. */
export const selectAccount = selectFrom('users_by_id', key, { state });

// users_by_login_info: the reservations on emails.

const reservation = { email: cql.text, reservation_id: cql.uuid };

export const insertLoginInfo = statement({
  cql: `INSERT INTO users_by_login_info (email, user_id, reservation_id, reserved_at)
        VALUES (:email, :user_id, :reservation_id, :reserved_at) IF NOT EXISTS`,
  params: { ...reservation, ...key, reserved_at: cql.timestamp },
  row: cql.row({ email: cql.text, user_id: cql.uuid, reservation_id: cql.uuid, reserved_at: cql.timestamp }),
});

export const deleteLoginInfo = statement({
  cql: `DELETE FROM users_by_login_info WHERE email = :email IF reservation_id = :reservation_id`,
  params: reservation,
  row: cql.row({ reservation_id: cql.uuid }),
});

export const selectLoginInfo = selectFrom('users_by_login_info', { email: cql.text }, key);
