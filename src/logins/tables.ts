import { z } from 'zod';
import { insertInto, selectFrom, whereKey } from '../cassandra/statement-builders.ts';
import { cql, modelOf, type Columns } from '../cassandra/columns.ts';
import { declareStatement, statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const month = { user_id: cql.uuid, month: cql.timestamp };

// logins_by_user: every login.

export const insertLogin = insertInto(
  'logins_by_user',
  { ...month, succeeded: cql.boolean, at: cql.timestamp, login_id: cql.uuid },
  'TTL',
);

/** Both limits are within the month. */
export const countLogins = statement({
  cql: `SELECT count(*) AS logins FROM logins_by_user
        WHERE user_id = :user_id AND month = :month AND succeeded = :succeeded AND at >= :at_least AND at < :below`,
  params: { ...month, succeeded: cql.boolean, at_least: cql.timestamp, below: cql.timestamp },
  row: cql.row({ logins: cql.bigint }),
});

export const selectLogins = selectFrom('logins_by_user', month, { at: cql.timestamp, succeeded: cql.boolean }, 500);

// logins_by_user_hour and logins_by_user_day: counts. The write timestamp of a count is the count
// itself.

const counts = { succeeded_count: cql.int.nullable(), failed_count: cql.int.nullable() };
const hourKey = { ...month, hour: cql.timestamp };
const dayKey = { user_id: cql.uuid, day: cql.timestamp };

const countsIn = <Key extends Columns>(table: string, key: Key) => {
  const update = (column: keyof typeof counts) =>
    declareStatement({
      cql: `UPDATE ${table} USING TIMESTAMP :write_timestamp AND TTL :ttl_seconds
        SET ${column} = :count ${whereKey(key)}`,
      params: modelOf({ ...key, count: cql.int, write_timestamp: cql.bigint, ttl_seconds: cql.int }),
      row: z.never(),
    });
  return { succeeded: update('succeeded_count'), failed: update('failed_count') };
};

export const updateHour = countsIn('logins_by_user_hour', hourKey);
export const updateDay = countsIn('logins_by_user_day', dayKey);

/** Both limits are within the month. */
export const selectHours = statement({
  cql: `SELECT hour, succeeded_count, failed_count FROM logins_by_user_hour
        WHERE user_id = :user_id AND month = :month AND hour >= :at_least AND hour < :below`,
  params: { ...month, at_least: cql.timestamp, below: cql.timestamp },
  row: cql.row({ hour: cql.timestamp, ...counts }),
});

export const selectDays = statement({
  cql: `SELECT day, succeeded_count, failed_count FROM logins_by_user_day
        WHERE user_id = :user_id AND day >= :at_least AND day < :below`,
  params: { user_id: cql.uuid, at_least: cql.timestamp, below: cql.timestamp },
  row: cql.row({ day: cql.timestamp, ...counts }),
});

// The erasure of an account.

export const eraseLogins = erasing('logins_by_user', month);

export const eraseHours = erasing('logins_by_user_hour', month);

export const eraseDays = erasing('logins_by_user_day', { user_id: cql.uuid });
