import { z } from 'zod';
import { insertInto, selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { ringScan } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';
import { storedAudience } from '../graphql/audience.ts';

const role = z.literal('ADMINISTRATOR').nullable().catch(null);

/** The UDT passkey. */
const passkey = z.object({
  credential_id: cql.text,
  public_key: z.instanceof(Buffer),
  counter: cql.bigint,
  name: cql.text,
  created_at: cql.timestamp,
  used_at: cql.timestamp.nullable(),
  challenged_at: cql.timestamp.nullable(),
});
export type Passkey = z.output<typeof passkey>;

/** The UDT account_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  email: cql.text,
  email_changed_at: cql.timestamp.nullable(),
  email_verified_at: cql.timestamp.nullable(),
  verified_once: cql.boolean,
  verify_by: cql.timestamp.nullable(),
  password_hash: cql.text,
  password_changed_at: cql.timestamp.nullable(),
  full_name: cql.text,
  bio: cql.text.nullable(),
  avatar_url: cql.text.nullable(),
  name_version: cql.int,
  registered_at: cql.timestamp,
  erased_at: cql.timestamp.nullable(),
  role,
  role_changed_at: cql.timestamp.nullable(),
  likes_audience: storedAudience,
  readings_audience: storedAudience,
  suspended: cql.boolean,
  messages_refused: cql.boolean.nullable(),
  approves_followers: cql.boolean.nullable(),
  muted_notifications: cql.list(cql.text),
  suspension_at: cql.timestamp.nullable(),
  suspension_by: cql.uuid.nullable(),
  suspension_reason: cql.text.nullable(),
  name_taken_down_at: cql.timestamp.nullable(),
  name_taken_down_by: cql.uuid.nullable(),
  name_taken_down_reason: cql.text.nullable(),
  change_id: cql.uuid,
  email_reservation_id: cql.uuid,
  email_session_id: cql.uuid.nullable(),
  kept_session_id: cql.uuid.nullable(),
  two_factor_secret: cql.text.nullable(),
  two_factor_pending: cql.text.nullable(),
  two_factor_since: cql.timestamp.nullable(),
  two_factor_ended_at: cql.timestamp.nullable(),
  two_factor_step: cql.int.nullable(),
  recovery_codes: cql.list(cql.text),
  recovery_code_used_at: cql.timestamp.nullable(),
  passkeys: cql.list(passkey),
  passkey_removed_at: cql.timestamp.nullable(),
  reset_token: cql.text.nullable(),
  verification_token: cql.text.nullable(),
  new_email_token: cql.text.nullable(),
  taken_down_names: cql.list(cql.text),
});
export type AccountState = z.output<typeof state>;

const key = { user_id: cql.uuid };

// users_by_id: the source of truth.

export const accountStates = stateTable({ table: 'users_by_id', key, state });

/** Selects an account, including the password hash. */
export const selectAccount = selectFrom('users_by_id', key, { state });

// users_by_login_info: the reservations of emails.

const reservation = { email: cql.text, reservation_id: cql.uuid };

export const insertLoginInfo = statement({
  cql: `INSERT INTO users_by_login_info (email, user_id, reservation_id, account_version, reserved_at)
        VALUES (:email, :user_id, :reservation_id, :account_version, :reserved_at) IF NOT EXISTS`,
  params: { ...reservation, ...key, account_version: cql.int, reserved_at: cql.timestamp },
  row: cql.row({ ...reservation, ...key, account_version: cql.int.nullable(), reserved_at: cql.timestamp }),
});

const condition = { reservation_id: cql.uuid, account_version: cql.int.nullable() };

export const updateLoginInfo = statement({
  cql: `UPDATE users_by_login_info SET account_version = :account_version WHERE email = :email
        IF reservation_id = :reservation_id AND account_version < :account_version`,
  params: { ...reservation, account_version: cql.int },
  row: cql.row(condition),
});

export const deleteLoginInfo = statement({
  cql: `DELETE FROM users_by_login_info WHERE email = :email
        IF reservation_id = :reservation_id AND account_version < :account_version`,
  params: { ...reservation, account_version: cql.int },
  row: cql.row(condition),
});

export const selectLoginInfo = selectFrom('users_by_login_info', { email: cql.text }, key);

// mail_tokens: the tokens sent by mail, as hashes.

const tokenKey = { ...key, purpose: z.enum(['RESET_PASSWORD', 'VERIFY_EMAIL']), token_hash: cql.text };
const token = { token_hash: cql.text, email_reservation_id: cql.uuid, expires_at: cql.timestamp };

export const insertMailToken = insertInto(
  'mail_tokens',
  { ...tokenKey, ...token, password_changed_at: cql.unlessNull(cql.timestamp) },
  'TTL',
);

export const selectMailToken = selectFrom('mail_tokens', tokenKey, {
  ...key,
  ...token,
  password_changed_at: cql.timestamp.nullable(),
});

export const eraseMailTokens = erasing('mail_tokens', key);

// Statements for audits.

export const scanAccounts = ringScan('users_by_id', key, { ...key, state });

export const selectAccounts = selectAmong('users_by_id', 'user_id', { ...key, state });

const claim = { ...reservation, ...key, account_version: cql.int.nullable() };

export const scanClaims = ringScan(
  'users_by_login_info',
  { email: cql.text },
  { ...claim, reserved_at: cql.timestamp },
);

export const selectClaims = selectAmong('users_by_login_info', 'email', claim);
export type Claim = Values<typeof claim>;
