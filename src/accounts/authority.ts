import { z } from 'zod';
import { recordActions } from '../activity/log.ts';
import { settle } from '../cassandra/settle.ts';
import { applied, first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { nameReadBooks } from '../reading/operations.ts';
import { recordEvent } from '../security/operations.ts';
import { endSessionsOf } from '../sessions/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { authority, changeOf, isFence } from '../aggregates/aggregate.ts';
import type { Step } from '../transactions/operations.ts';
import {
  claimEmail,
  insertAccount,
  releaseEmail,
  selectAccountSerially,
  updateAccount,
  type AccountState,
} from './tables.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';

/** A claim on an email. An account has the one that its state names; every other is given up. */
const claim = z.strictObject({ email: z.string(), claimId: z.uuid() });
export type Claim = z.infer<typeof claim>;

/** `what`: the part of an account that a change is about. `claims`: those that the account had, and is to get. */
const accountChange = z.strictObject({
  userId: z.uuid(),
  what: z.enum(['REGISTRATION', 'NAME', 'EMAIL', 'PASSWORD', 'ROLE', 'ERASURE']),
  claims: z.array(claim).readonly(),
});
type AccountChange = z.infer<typeof accountChange>;

const NOBODY = {
  version: 1,
  email: '',
  email_claim_id: LOWEST_UUID,
  email_changed_at: null,
  email_session_id: null,
  password_hash: '',
  password_changed_at: null,
  kept_session_id: null,
  full_name: '',
  name_version: 1,
  role: null,
  registered_at: new Date(0),
} as const;

/** What decides who a reader is and what they log in with. */
export const accountAuthority = authority<AccountChange, AccountState>({
  name: 'account',
  payload: accountChange,
  row: ({ cassandra }, { userId: user_id }) => ({
    read: async () => (await first(cassandra, selectAccountSerially, { user_id }))?.state,
    insert: (state) => applied(cassandra, insertAccount, { user_id, state }),
    replace: (current, next) => applied(cassandra, updateAccount, { user_id, current, next }),
  }),
  // A registration that was given up is as an account that was deleted.
  unmade: { ...NOBODY, erased_at: new Date(0) },
  follow,
});

/** Changes an account: the authority's row first, then its claims on emails, its name, its sessions, its jobs. */
export const accountTransaction = accountAuthority.transaction;

/** The first state of an account. */
export const registered = (
  { randomId }: Pick<AppContext, 'randomId'>,
  { email, claimId }: Claim,
  who: { readonly fullName: string; readonly passwordHash: string },
  now: Date,
): AccountState => ({
  ...NOBODY,
  changed_at: now,
  change_id: randomId(),
  email,
  email_claim_id: claimId,
  password_hash: who.passwordHash,
  full_name: who.fullName,
  registered_at: now,
  erased_at: null,
});

/** What is left of an account that is deleted: that there was one. */
export const erased = (app: AppContext, state: AccountState, now: Date): AccountState => ({
  ...NOBODY,
  ...changeOf(app, state, now),
  registered_at: state.registered_at,
  erased_at: now,
});

/**
 * Claims an email for an account. Doing so again changes nothing.
 * @throws {UserError} `EMAIL_TAKEN`; `INVALID_INPUT` while the same account gives up another claim on it
 */
export async function claimFor(app: AppContext, userId: string, { email, claimId }: Claim): Promise<void> {
  const values = { email, user_id: userId, claim_id: claimId, claimed_at: app.clock() };
  const claimed = await settle(app.cassandra, () => applied(app.cassandra, claimEmail, values));
  // The row that stands in the way may be our own, of a try whose answer was lost.
  if (claimed.applied || claimed.current?.claim_id === claimId) return;
  if (claimed.current?.user_id !== userId) throw emailTaken();
  const message = 'Another change of your email is under way. Look at it in a few seconds, then try again.';
  throw new UserError('INVALID_INPUT', message, ['input', 'email']);
}

/** Somebody else has the email. */
export const emailTaken = () =>
  new UserError('EMAIL_TAKEN', 'This email belongs to an account already. Log in, or use another email.', [
    'input',
    'email',
  ]);

/** Gives up a claim on an email. Doing so again, or of a claim that was never made, changes nothing. */
export async function release({ cassandra }: AppContext, { email, claimId }: Claim): Promise<void> {
  await settle(cassandra, () => applied(cassandra, releaseEmail, { email, claim_id: claimId }));
}

/** Brings everything up to a state of the authority. May be repeated at any time. */
async function follow(app: AppContext, change: AccountChange, state: AccountState, step: Step): Promise<void> {
  const { userId, what, claims } = change;
  const subject = { type: 'User', key: userId } as const;
  const givenUp = claims.filter(({ claimId }) => claimId !== state.email_claim_id);
  await step('release', () => Promise.all(givenUp.map((each) => release(app, each))));
  if (state.erased_at) {
    if (isFence(state)) return;
    await step('sessions', () => endSessionsOf(app, userId, 'ERASURE'));
    await step('job', () => beginJob(app, subject, 'ERASE', 0, state.changed_at));
    return;
  }
  await step('name', () => nameReadBooks(app, userId, state.full_name, state.name_version));
  await step('events', () => noteChanges(app, userId, state));
  if (what === 'REGISTRATION') {
    const action = { kind: 'REGISTERED', at: state.registered_at, subject: '' } as const;
    await step('action', () => recordActions(app, userId, [action]));
  }
  if (what === 'NAME') await step('job', () => beginJob(app, subject, 'RENAME', state.name_version, state.changed_at));
  const { password_changed_at: changedAt, kept_session_id: kept } = state;
  if (what === 'PASSWORD' && changedAt) {
    const isVoid = (sessionId: string, loggedInAt: Date | null) =>
      sessionId !== kept && loggedInAt !== null && loggedInAt < changedAt;
    await step('sessions', () => endSessionsOf(app, userId, 'PASSWORD_CHANGE', isVoid));
  }
}

/** Notes the newest changes of email and password; their ids are such that each is noted once. */
async function noteChanges(app: AppContext, userId: string, state: AccountState): Promise<void> {
  const { email_changed_at, email_claim_id, email_session_id, password_changed_at, kept_session_id } = state;
  if (email_changed_at) {
    const about = { at: email_changed_at, address: null, sessionId: email_session_id };
    await recordEvent(app, userId, email_claim_id, { kind: 'EMAIL_CHANGED', ...about });
  }
  if (password_changed_at) {
    const about = { at: password_changed_at, address: null, sessionId: kept_session_id };
    await recordEvent(app, userId, userId, { kind: 'PASSWORD_CHANGED', ...about });
  }
}
