import type { ActionsInBulk } from '../activity/bulk.ts';
import { settle } from '../cassandra/settle.ts';
import { applied } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { uuidOf } from '../graphql/ids.ts';
import { nameReadBooks } from '../reading/operations.ts';
import { claimFor, registered } from './authority.ts';
import { insertAccount } from './tables.ts';

/**
 * Makes an account as of a moment of before, for loading in bulk; nobody logs in. It is no transaction: one that is
 * interrupted must be repeated, and then changes only what is missing.
 * @param diary gets the registration, for the caller to write
 * @throws {UserError} `EMAIL_TAKEN`
 */
export async function putAccount(
  app: AppContext,
  userId: string,
  who: { readonly email: string; readonly fullName: string; readonly passwordHash: string },
  registeredAt: Date,
  diary: ActionsInBulk,
): Promise<void> {
  const claim = { email: who.email, claimId: uuidOf(`claim in bulk ${userId}`) };
  await claimFor(app, userId, claim);
  const state = registered(app, claim, who, registeredAt);
  await settle(app.cassandra, () => applied(app.cassandra, insertAccount, { user_id: userId, state }));
  await nameReadBooks(app, userId, who.fullName, state.name_version);
  diary.add(userId, [{ kind: 'REGISTERED', at: registeredAt, subject: '' }]);
}
