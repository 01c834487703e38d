import { deleteFrom, insertInto, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

// tries_by_subject: tries with a password or an email, and the uses of quotas.

const tryKey = { subject: cql.text, at: cql.timestamp, try_id: cql.uuid };

export const insertTry = insertInto('tries_by_subject', { ...tryKey, failed: cql.boolean }, 'TTL');

/** Reads the newest tries first. */
export const selectTries = selectFirst(
  'tries_by_subject',
  { subject: cql.text },
  { at: cql.timestamp, try_id: cql.uuid, failed: cql.boolean },
);

export const deleteTry = deleteFrom('tries_by_subject', tryKey);

export const deleteTries = deleteFrom('tries_by_subject', { subject: cql.text });

// known_addresses_by_user: the addresses from which an account was logged in to.

const known = { user_id: cql.uuid, address: cql.text };

export const insertKnownAddress = insertInto('known_addresses_by_user', known);

export const selectKnownAddress = selectFrom('known_addresses_by_user', known, { address: cql.text });

export const eraseKnownAddresses = erasing('known_addresses_by_user', { user_id: cql.uuid });

// request_costs_by_caller: the cost of a caller's requests within a minute.

export const updateCost = statement({
  cql: `UPDATE request_costs_by_caller SET cost = :cost
        WHERE caller = :caller AND minute = :minute AND server_id = :server_id`,
  params: { caller: cql.text, minute: cql.timestamp, server_id: cql.uuid, cost: cql.int },
});

export const selectCosts = selectFirst(
  'request_costs_by_caller',
  { caller: cql.text, minute: cql.timestamp },
  { server_id: cql.uuid, cost: cql.int },
);
