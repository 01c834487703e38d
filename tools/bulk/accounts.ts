import type { ActionsInBulk } from './actions.ts';
import { versionAfter, versioned } from '../../src/aggregates/state.ts';
import { untilKnown } from '../../src/cassandra/retries.ts';
import type { AppContext } from '../../src/context/context.ts';
import { uuidOf } from '../../src/graphql/ids.ts';
import { repeated } from '../../src/bulk-import/in-bulk.ts';
import { nameReadBooks } from '../../src/reading/operations.ts';
import { registered, reserveEmail } from '../../src/accounts/aggregate.ts';
import { accountStates, type AccountState } from '../../src/accounts/tables.ts';

/**
 * Loads an account that was registered at a past moment, without logging in. It is not a
 * transaction: it must be repeated after an interruption, and then writes only what is missing.
 * @param activityLog receives the registration, for the caller to write
 * @throws {UserError} `EMAIL_TAKEN`
 */
export async function loadAccount(
  app: AppContext,
  userId: string,
  who: { readonly email: string; readonly fullName: string; readonly passwordHash: string },
  registeredAt: Date,
  activityLog: ActionsInBulk,
): Promise<void> {
  const reservation = { email: who.email, reservationId: uuidOf(`reservation in bulk ${userId}`) };
  const version = versionAfter(app, undefined, registeredAt);
  const state = versioned<AccountState>(registered(reservation, who, registeredAt), version);
  await repeated(app, async () => {
    await reserveEmail(app, userId, reservation, 0);
    await untilKnown(app.cassandra, () => accountStates.compareAndSet(app.cassandra, { user_id: userId }, null, state));
    await nameReadBooks(app, userId, who.fullName, state.name_version);
  });
  activityLog.add(userId, [{ kind: 'REGISTERED', at: registeredAt, subject: '' }]);
}
