import { auditedTable, type Audit, type Suspect } from '../audit/audit.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { jobsOf } from '../jobs/operations.ts';
import { namesOfReaders } from '../reading/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { accountKey, accounts, reserveEmail } from './aggregate.ts';
import { scanAccounts, scanClaims, selectAccounts, selectClaims, type AccountState, type Claim } from './tables.ts';

/**
 * The audit of accounts. It checks that each account has the email reservation that its state
 * names, that its lists show its current name, and that an account names every reservation. Reports
 * of drift contain no email.
 */

/** The tables whose drift is reported. */
const CLAIMS = 'users_by_login_info';
const NAMES = 'books_read_by_user';
/** The age below which a reservation is left alone. */
const SETTLED_MS = 10 * MINUTE_MS;

/** True for an account that exists and is not deleted. */
const isLive = (state: AccountState | undefined): state is AccountState => state?.erased_at === null;

/** True if a reservation is the one that an account's state names. */
const isNamed = (claim: Claim, state: AccountState | undefined) =>
  isLive(state) && state.email === claim.email && state.email_reservation_id === claim.reservation_id;

const emailKey = (userId: string, claims: readonly Claim[] = []) =>
  accountKey(
    userId,
    'EMAIL',
    claims.map(({ email, reservation_id }) => ({ email, reservationId: reservation_id })),
  );

const read = (app: AppContext, userId: string) => accounts.read(app, emailKey(userId));

interface Account {
  readonly user_id: string;
  readonly state: AccountState | undefined;
}

/** Returns the given accounts, each with the tables that disagree with its state. */
async function wrongOf(app: AppContext, found: readonly Account[]) {
  const emails = found.flatMap(({ state }) => (isLive(state) ? [state.email] : []));
  const userIds = found.map(({ user_id }) => user_id);
  const [claims, names] = await Promise.all([
    rows(app.cassandra, selectClaims, { emails }),
    namesOfReaders(app, userIds),
  ]);
  const byEmail = new Map(claims.map((claim) => [claim.email, claim]));
  return found.map(({ user_id, state }) => {
    const claim = isLive(state) ? byEmail.get(state.email) : undefined;
    const name = names.get(user_id);
    const tables: string[] = [];
    if (isLive(state) && !(claim?.user_id === user_id && isNamed(claim, state))) tables.push(CLAIMS);
    if (name?.fullName !== (isLive(state) ? state.full_name : undefined)) tables.push(NAMES);
    return { user_id, claim, name, tables };
  });
}

async function wrongNow(app: AppContext, userId: string) {
  const state = await read(app, userId);
  const [wrong] = await wrongOf(app, [{ user_id: userId, state }]);
  return { state, tables: wrong?.tables ?? [], claim: wrong?.claim, name: wrong?.name };
}

/** An account whose reservation or name seems to disagree with its state. */
const accountSuspect = (app: AppContext, userId: string): Suspect => ({
  what: `what follows from user_id = ${userId}`,
  look: async () => {
    const { state, tables } = await wrongNow(app, userId);
    if (tables.length === 0) return [];
    const isChanging = (await read(app, userId))?.version !== state?.version;
    return isChanging || (await jobsOf(app, { type: 'User', key: userId })).length > 0 ? undefined : tables;
  },
  repair: async () => {
    const { tables, claim, name } = await wrongNow(app, userId);
    // The repair uses a version above that of the wrong name. If the account is deleted, the repair
    // erases the rest of it again.
    const state = await accounts.repair(app, emailKey(userId), name?.version);
    if (!isLive(state)) return;
    if (tables.includes(NAMES)) await nameAgain(app, userId);
    if (tables.includes(CLAIMS)) await reserveAgain(app, userId, claim);
  },
});

/** Projects the name of an account again, in the same way as a change of the name. */
async function nameAgain(app: AppContext, userId: string): Promise<void> {
  const key = accountKey(userId, 'NAME');
  const expected = await accounts.read(app, key);
  await accounts.change(app, key, expected, (state) =>
    isLive(state) ? { ...state, name_version: state.version + 1 } : undefined,
  );
}

/**
 * Reserves the email of an account again.
 * @param standing the existing reservation of that email
 */
async function reserveAgain(app: AppContext, userId: string, standing: Claim | undefined): Promise<void> {
  if (standing) await release(app, standing);
  const state = await read(app, userId);
  if (!isLive(state)) return;
  const { email, email_reservation_id: reservationId } = state;
  try {
    await reserveEmail(app, userId, { email, reservationId }, state.version);
  } catch (error) {
    // Another account also has the email. An administrator has to resolve that.
    if (!(error instanceof UserError)) throw error;
  }
  const made = { email, reservation_id: reservationId, user_id: userId, account_version: state.version };
  // The account may have got another email meanwhile.
  if (!isNamed(made, await read(app, userId))) await release(app, made);
}

/**
 * Releases a reservation that its account does not name. It first fences off every call that is
 * about to name it. A reservation made after the fence, for the account's new version, is kept.
 */
async function release(app: AppContext, claim: Claim): Promise<void> {
  await accounts.repair(app, emailKey(claim.user_id, [claim]), claim.account_version ?? undefined);
}

const accountTable = auditedTable('users_by_id', {
  key: ['user_id'],
  ring: scanAccounts,
  suspects: async (app, found: readonly (Account & { readonly state: AccountState })[]) =>
    (await wrongOf(app, found)).flatMap(({ user_id, tables }) =>
      tables.length > 0 ? [accountSuspect(app, user_id)] : [],
    ),
});

const claimTable = auditedTable(CLAIMS, {
  key: ['email'],
  ring: scanClaims,
  suspects: async (app, found: readonly (Claim & { readonly reserved_at: Date })[]) => {
    // A call names its reservation only after making it, and may be slow.
    const claims = found.filter(({ reserved_at }) => app.clock().getTime() - reserved_at.getTime() >= SETTLED_MS);
    const user_ids = [...new Set(claims.map(({ user_id }) => user_id))];
    const accountsOf = await rows(app.cassandra, selectAccounts, { user_ids });
    const states = new Map(accountsOf.map(({ user_id, state }) => [user_id, state]));
    return claims.filter((claim) => !isNamed(claim, states.get(claim.user_id))).map((claim) => abandoned(app, claim));
  },
});

/** A reservation that no account seems to name. */
const abandoned = (app: AppContext, claim: Claim): Suspect => ({
  what: `the reservation ${claim.reservation_id} of user_id = ${claim.user_id}`,
  look: async () => {
    const state = await read(app, claim.user_id);
    const [there] = await rows(app.cassandra, selectClaims, { emails: [claim.email] });
    const isThere = there?.reservation_id === claim.reservation_id && there.user_id === claim.user_id;
    return isThere && !isNamed(claim, state) ? [CLAIMS] : [];
  },
  repair: () => release(app, claim),
});

/**
 * Audits the accounts, with the reservations of their emails and the names in their lists of books.
 */
export const accountAudit: Audit = { kind: 'accounts', tables: [accountTable, claimTable] };
