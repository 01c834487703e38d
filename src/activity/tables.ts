import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const user = { user_id: cql.uuid };
const key = { ...user, month: cql.timestamp };
const keyByKind = { ...user, year: cql.int };
const kind = { kind: cql.text };
const moment = { at: cql.timestamp };
const object = { subject_id: cql.text, element: cql.text };

// actions_by_user: the activity log.

const position = { ...moment, ...kind, ...object };

export const insertAction = insertInto('actions_by_user', { ...key, ...position });

export const selectActions = selectFrom('actions_by_user', key, position, 500);

export const actions = range({ table: 'actions_by_user', partition: key, several: 'month', order: position });

export const eraseActions = erasing('actions_by_user', key);

// actions_by_user_by_kind: the activity log by kind.

export const insertActionByKind = insertInto('actions_by_user_by_kind', { ...keyByKind, ...position });

/** The rows by kind, with the positions of {@link actions} and its order across kinds. */
export const actionsByKind = range({
  table: 'actions_by_user_by_kind',
  partition: { ...keyByKind, ...kind },
  several: 'year',
  located: kind,
  order: { ...moment, ...object },
});

export const eraseActionsByKind = erasing('actions_by_user_by_kind', keyByKind);

// action_months_by_user: the months of the activity log that have actions, by kind.

const monthOfKind = { ...kind, month: cql.timestamp };

export const insertActionMonth = insertInto('action_months_by_user', { ...user, ...monthOfKind });

export const selectActionMonths = statement({
  cql: `SELECT kind, month FROM action_months_by_user WHERE user_id = :user_id`,
  params: user,
  row: cql.row(monthOfKind),
});

export const selectMonthsOfKinds = statement({
  cql: `SELECT kind, month FROM action_months_by_user
        WHERE user_id = :user_id AND kind IN :kinds AND month >= :from_month AND month <= :to_month`,
  params: { ...user, kinds: cql.text.array(), from_month: cql.timestamp, to_month: cql.timestamp },
  row: cql.row(monthOfKind),
});

export const eraseActionMonths = erasing('action_months_by_user', user);

// months_by_user: the months of a list that have rows.

const monthsKey = { ...user, list: cql.text };

export const insertMonth = insertInto('months_by_user', { ...monthsKey, month: cql.timestamp }, 'TTL');

export const selectMonths = statement({
  cql: `SELECT month FROM months_by_user
        WHERE user_id = :user_id AND list = :list AND month >= :from_month AND month <= :to_month`,
  params: { ...monthsKey, from_month: cql.timestamp, to_month: cql.timestamp },
  row: cql.row({ month: cql.timestamp }),
});

/** Reads the months of a list of some readers. */
export const selectMonthsOfReaders = statement({
  cql: `SELECT user_id, month FROM months_by_user
        WHERE user_id IN :user_ids AND list = :list AND month >= :from_month`,
  params: { user_ids: cql.uuid.array(), list: cql.text, from_month: cql.timestamp },
  row: cql.row({ ...user, month: cql.timestamp }),
});

/** For audits. */
export const listedMonths = {
  table: 'months_by_user',
  partition: monthsKey,
  order: { month: cql.timestamp },
  columns: {},
};

export const eraseMonths = erasing('months_by_user', monthsKey);
