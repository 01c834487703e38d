import { cql, statement } from '../cassandra/statement.ts';

const loginInfo = { email: cql.text, user_id: cql.uuid.row, password_hash: cql.text, registered_at: cql.timestamp };

export const claimEmail = statement({
  cql: `INSERT INTO users_by_login_info (email, user_id, password_hash, registered_at)
        VALUES (:email, :user_id, :password_hash, :registered_at) IF NOT EXISTS`,
  params: { ...loginInfo, user_id: cql.uuid.param },
  row: cql.row(loginInfo),
  idempotent: false,
});

export const selectLoginInfo = statement({
  cql: `SELECT user_id, password_hash FROM users_by_login_info WHERE email = :email`,
  params: { email: cql.text },
  row: cql.row({ user_id: cql.uuid.row, password_hash: cql.text }),
  idempotent: true,
});

export const insertUser = statement({
  cql: `INSERT INTO users_by_id (user_id, email, full_name, registered_at)
        VALUES (:user_id, :email, :full_name, :registered_at)`,
  params: { user_id: cql.uuid.param, email: cql.text, full_name: cql.text, registered_at: cql.timestamp },
  idempotent: true,
});

export const selectUsers = statement({
  cql: `SELECT user_id, email, full_name, registered_at FROM users_by_id WHERE user_id IN :user_ids`,
  params: { user_ids: cql.uuid.param.array() },
  row: cql.row({ user_id: cql.uuid.row, email: cql.text, full_name: cql.text, registered_at: cql.timestamp }),
  idempotent: true,
});
