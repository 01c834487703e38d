import { insertInto, selectFrom } from '../cassandra/by-key.ts';
import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const key = { user_id: cql.uuid, month: cql.timestamp };
const position = { at: cql.timestamp, kind: cql.text, subject_id: cql.text };

// actions_by_user: the activity log.

export const insertAction = insertInto('actions_by_user', { ...key, ...position });

export const selectActions = selectFrom('actions_by_user', key, position, 500);

export const actions = range({ table: 'actions_by_user', partition: key, order: position });

export const eraseActions = erasing('actions_by_user', key);

// months_by_user: which months of a list are not empty.

const monthsKey = { user_id: cql.uuid, list: cql.text };

export const insertMonth = insertInto('months_by_user', { ...monthsKey, month: cql.timestamp }, 'TTL');

export const selectMonths = statement({
  cql: `SELECT month FROM months_by_user
        WHERE user_id = :user_id AND list = :list AND month >= :from_month AND month <= :to_month`,
  params: { ...monthsKey, from_month: cql.timestamp, to_month: cql.timestamp },
  row: cql.row({ month: cql.timestamp }),
});

export const eraseMonths = erasing('months_by_user', monthsKey);
