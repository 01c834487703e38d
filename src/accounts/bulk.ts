import type { ActionsInBulk } from '../activity/bulk.ts';
import { versioned } from '../aggregates/aggregate.ts';
import { settle } from '../cassandra/settle.ts';
import { applied } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { uuidOf } from '../graphql/ids.ts';
import { nameReadBooks } from '../reading/operations.ts';
import { registered, reserveEmail } from './aggregate.ts';
import { updateAccount, type AccountState } from './tables.ts';

/**
 * Makes an account as of a moment of before, for loading in bulk; nobody logs in. It is no transaction: one that is
 * interrupted must be repeated, and then changes only what is missing.
 * @param activityLog gets the registration, for the caller to write
 * @throws {UserError} `EMAIL_TAKEN`
 */
export async function putAccount(
  app: AppContext,
  userId: string,
  who: { readonly email: string; readonly fullName: string; readonly passwordHash: string },
  registeredAt: Date,
  activityLog: ActionsInBulk,
): Promise<void> {
  const reservation = { email: who.email, reservationId: uuidOf(`reservation in bulk ${userId}`) };
  await reserveEmail(app, userId, reservation);
  const version = { version: 1, changed_at: registeredAt, change_id: app.randomId() };
  const state = versioned<AccountState>(registered(reservation, who, registeredAt), version);
  const row = { user_id: userId, current: null, next: state };
  await settle(app.cassandra, () => applied(app.cassandra, updateAccount, row));
  await nameReadBooks(app, userId, who.fullName, state.name_version);
  activityLog.add(userId, [{ kind: 'REGISTERED', at: registeredAt, subject: '' }]);
}
