import { z } from 'zod';
import { recordActions } from '../activity/log.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { settle } from '../cassandra/settle.ts';
import { applied } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { uuidOf } from '../graphql/ids.ts';
import { nameReadBooks } from '../reading/operations.ts';
import { recordSecurityEvent } from '../security/operations.ts';
import { endSessionsOf } from '../sessions/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { scheduleJob, unscheduleJob } from '../jobs/schedule.ts';
import { aggregate, isTombstone, type Content, type Reservation } from '../aggregates/aggregate.ts';
import {
  accountStates,
  insertLoginInfo,
  deleteLoginInfo,
  updateLoginInfo,
  type AccountState,
  type Passkey,
} from './tables.ts';

/** A reservation on an email. An account has the one that its state names; every other is given up. */
const reservation = z.strictObject({ email: z.string(), reservationId: z.uuid() });
export type EmailReservation = z.infer<typeof reservation>;

/** `what`: the part of an account that a change is about. */
const keyModel = z.strictObject({
  userId: z.uuid(),
  what: z.enum([
    'REGISTRATION',
    'NAME',
    'PRIVACY',
    'EMAIL',
    'VERIFICATION',
    'PASSWORD',
    'TWO_FACTOR',
    'PASSKEY',
    'ROLE',
    'SUSPENSION',
    'ERASURE',
  ]),
  reservations: z.array(reservation).readonly(),
});
type AccountKey = z.infer<typeof keyModel>;

/**
 * The key of a change of an account.
 * @param reservations those that the account had, and is to get, where the change is about its email
 */
export const accountKey = (
  userId: string,
  what: AccountKey['what'],
  reservations: AccountKey['reservations'] = [],
): AccountKey => ({ userId, what, reservations });

const EMPTY = {
  email: '',
  email_reservation_id: LOWEST_UUID,
  email_changed_at: null,
  email_verified_at: null,
  verified_once: false,
  verify_by: null,
  email_session_id: null,
  password_hash: '',
  password_changed_at: null,
  kept_session_id: null,
  full_name: '',
  name_version: 1,
  role: null,
  role_changed_at: null,
  likes_audience: 'EVERYONE',
  readings_audience: 'ONLY_ME',
  suspended: false,
  suspension_at: null,
  suspension_by: null,
  suspension_reason: null,
  name_taken_down_at: null,
  name_taken_down_by: null,
  name_taken_down_reason: null,
  two_factor_secret: null,
  two_factor_pending: null,
  two_factor_since: null,
  two_factor_ended_at: null,
  two_factor_step: null,
  recovery_codes: [] as string[],
  recovery_code_used_at: null,
  passkeys: [] as Passkey[],
  passkey_removed_at: null,
  registered_at: new Date(0),
} as const;

/** What an account says at first. */
export const registered = (
  { email, reservationId }: EmailReservation,
  who: { readonly fullName: string; readonly passwordHash: string },
  at: Date,
): Content<AccountState> => ({
  ...EMPTY,
  email,
  email_reservation_id: reservationId,
  password_hash: who.passwordHash,
  full_name: who.fullName,
  registered_at: at,
  erased_at: null,
});

/** What is left of an account that is deleted: that there was one. */
export const erased = ({ registered_at, verify_by }: AccountState, at: Date): Content<AccountState> => ({
  ...EMPTY,
  registered_at,
  verify_by,
  erased_at: at,
});

/** @throws {UserError} when the account was deleted while a change of it was under way */
export function mustExist(state: AccountState | undefined): asserts state is AccountState {
  if (state && !state.erased_at) return;
  throw new UserError('NOT_FOUND', 'Your account was deleted just now.', ['input']);
}

/** Whether an account goes at a moment that its state says, unless an email of it is verified before. */
export const isOnTrial = (state: AccountState): state is AccountState & { verify_by: Date } =>
  !state.erased_at && !state.verified_once && state.verify_by !== null;

/** Whether an account has the password that it had at another look. */
export const hasSamePassword = (
  now: Pick<AccountState, 'password_changed_at'>,
  then: Pick<AccountState, 'password_changed_at'>,
): boolean => now.password_changed_at?.getTime() === then.password_changed_at?.getTime();

/** Where an input says which email: itself, or by a token that was sent there. */
export type EmailField = 'email' | 'token';

/**
 * What was confirmed with the password is not decided once that is another one.
 * @param known the account when the password was asked for
 * @throws {UserError} `INVALID_CREDENTIALS` about `password`, `NOT_FOUND`
 */
export function mustHavePassword(known: AccountState, state: AccountState | undefined): asserts state is AccountState {
  mustExist(state);
  if (hasSamePassword(state, known)) return;
  const message = 'Another call has changed your password just now. Log in with the new one.';
  throw new UserError('INVALID_CREDENTIALS', message, ['input', 'password']);
}

/** Above every version of an account. */
const EVERY_VERSION = 2 ** 31 - 1;

/**
 * Reserves an email for an account, or makes a reservation of its own last for a decision on a newer version. Doing so again
 * changes nothing.
 * @param version of the account on which it is to be decided, 0 for none yet
 * @param field of the input that says which email
 * @param prepare is done before every attempt
 * @throws {UserError} `EMAIL_TAKEN`; `INVALID_INPUT` while the same account gives up another reservation on it
 */
export async function reserveEmail(
  app: AppContext,
  userId: string,
  { email, reservationId }: EmailReservation,
  version: number,
  field: EmailField = 'email',
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const own = { email, reservation_id: reservationId, account_version: version };
  const values = { ...own, user_id: userId, reserved_at: app.clock() };
  const insert = () =>
    settle(app.cassandra, async () => {
      await prepare();
      return applied(app.cassandra, insertLoginInfo, values);
    });
  let reserved = await insert();
  // The row that stands in the way may be our own, of a try whose answer was lost, or for a version that was replaced meanwhile.
  while (!reserved.applied && reserved.current?.reservation_id === reservationId) {
    if ((reserved.current.account_version ?? 0) >= version) return;
    const raised = await settle(app.cassandra, () => applied(app.cassandra, updateLoginInfo, own));
    if (raised.applied) return;
    reserved = await insert();
  }
  if (reserved.applied) return;
  if (reserved.current?.user_id !== userId) throw emailTaken(field);
  const message = 'Another change of your email is under way. Look at it in a few seconds, then try again.';
  throw new UserError('INVALID_INPUT', message, ['input', field]);
}

/** An email, taken before an account is decided that names it. */
export const emailReservation = (
  app: AppContext,
  userId: string,
  reservation: EmailReservation,
  field?: EmailField,
): Reservation => ({
  name: 'reservation',
  take: (version, stayLogged) => reserveEmail(app, userId, reservation, version, field, stayLogged),
  // By who would decide on it.
  release: () => releaseEmail(app, reservation, EVERY_VERSION),
});

/** Somebody else has the email. */
export const emailTaken = (field: EmailField = 'email') =>
  new UserError('EMAIL_TAKEN', 'This email belongs to an account already. Log in, or use another email.', [
    'input',
    field,
  ]);

/**
 * Gives up a reservation on an email. Doing so again, or of a reservation that was never made, changes nothing.
 * @param below not one that was made for this version of the account or a newer one: its call may still decide
 */
async function releaseEmail(
  { cassandra }: AppContext,
  { email, reservationId }: EmailReservation,
  below: number,
): Promise<void> {
  const values = { email, reservation_id: reservationId, account_version: below };
  await settle(cassandra, () => applied(cassandra, deleteLoginInfo, values));
}

/** The source of truth for who a reader is and what they log in with, and what is projected from it. */
export const accounts = aggregate({
  name: 'account',
  key: keyModel,
  table: accountStates,
  rowKey: ({ userId }) => ({ user_id: userId }),
  // A registration that was given up is as an account that was deleted.
  tombstone: { ...EMPTY, erased_at: new Date(0) },
  owner: () => Promise.resolve({}),
  // A state says only what administrators decided last.
  forgets: (former, next) =>
    isAnother(former.suspension_at, next.suspension_at) ||
    isAnother(former.name_taken_down_at, next.name_taken_down_at),
  projections: (app, { userId, what, reservations }, state, _owner, { occasion }) => {
    const decisions = () => recordDecisions(app, userId, state);
    if (occasion === 'FORMER') return [{ decisions }];

    const subject = { type: 'User', key: userId } as const;
    const givenUp = reservations.filter(({ reservationId }) => reservationId !== state.email_reservation_id);
    const release = () => Promise.all(givenUp.map((reservation) => releaseEmail(app, reservation, state.version)));
    const jobOf = (kind: string, cause: string) => () => beginJob(app, subject, kind, cause, state.changed_at);
    if (isTombstone(state)) return [{ release }];
    const expiry = state.verify_by && { kind: 'EXPIRE', cause: 'registered', dueAt: state.verify_by };
    if (state.erased_at) {
      const sessions = () => endSessionsOf(app, userId, 'ERASURE');
      const deadline = expiry && { deadline: () => unscheduleJob(app, subject, expiry) };
      return [{ release }, { sessions }, { job: jobOf('ERASE', 'erased'), ...deadline }];
    }

    const name = () => nameReadBooks(app, userId, state.full_name, state.name_version);
    const action = () => recordActions(app, userId, [{ kind: 'REGISTERED', at: state.registered_at, subject: '' }]);
    const { password_changed_at: changedAt, kept_session_id: kept } = state;
    const isVoid = (sessionId: string, loggedInAt: Date | null) =>
      sessionId !== kept && loggedInAt !== null && changedAt !== null && loggedInAt < changedAt;
    const sessions = () => endSessionsOf(app, userId, 'PASSWORD_CHANGE', isVoid);
    const suspension = () => endSessionsOf(app, userId, 'SUSPENSION');
    return [
      { release },
      { name, events: () => recordChanges(app, userId, state), decisions },
      {
        ...(what === 'REGISTRATION' && { action }),
        ...(what === 'REGISTRATION' && expiry && { deadline: () => scheduleJob(app, subject, expiry) }),
        ...(what === 'NAME' && { job: jobOf('RENAME', `name ${String(state.name_version)}`) }),
        ...(what === 'PRIVACY' && { job: jobOf('AUDIENCE', `version ${String(state.version)}`) }),
        ...(what === 'PASSWORD' && changedAt && { sessions }),
        ...(what === 'SUSPENSION' && { job: jobOf('SUSPENSION', `version ${String(state.version)}`) }),
        ...(what === 'SUSPENSION' && state.suspended && { sessions: suspension }),
      },
    ];
  },
});

/** Whether something that is known of a moment will be known of another one instead, or of none. */
const isAnother = (former: Date | null, next: Date | null) => former !== null && former.getTime() !== next?.getTime();

/** Records what administrators decided last about an account. */
async function recordDecisions(app: AppContext, userId: string, state: AccountState): Promise<void> {
  const about = { type: 'User', key: userId } as const;
  const { suspended, suspension_at, suspension_by, suspension_reason } = state;
  if (suspension_at && suspension_by) {
    const kind = suspended ? 'ACCOUNT_SUSPENDED' : 'ACCOUNT_REINSTATED';
    const decided = { at: suspension_at, administratorId: suspension_by, reason: suspension_reason ?? '' };
    await recordDecisionFor(app, about, userId, { kind, ...decided });
  }
  const { name_taken_down_at: at, name_taken_down_by: by, name_taken_down_reason: reason } = state;
  if (at && by) {
    const decided = { at, administratorId: by, reason: reason ?? '' };
    await recordDecisionFor(app, about, userId, { kind: 'NAME_TAKEN_DOWN', ...decided });
  }
}

/** Records the newest changes of email, password, second factor, passkeys and role, and that the email was verified; their ids are such that each is recorded once. */
async function recordChanges(app: AppContext, userId: string, state: AccountState): Promise<void> {
  const { email_changed_at, email_verified_at, email_reservation_id, email_session_id } = state;
  const { password_changed_at, kept_session_id } = state;
  const { role, role_changed_at } = state;
  if (email_changed_at) {
    const about = { at: email_changed_at, address: null, sessionId: email_session_id };
    await recordSecurityEvent(app, userId, email_reservation_id, { kind: 'EMAIL_CHANGED', ...about });
  }
  if (email_verified_at) {
    const about = { at: email_verified_at, address: null, sessionId: null };
    const id = uuidOf(`verified ${email_reservation_id}`);
    await recordSecurityEvent(app, userId, id, { kind: 'EMAIL_VERIFIED', ...about });
  }
  if (password_changed_at) {
    const kind = kept_session_id === null ? 'PASSWORD_RESET' : 'PASSWORD_CHANGED';
    const about = { at: password_changed_at, address: null, sessionId: kept_session_id };
    await recordSecurityEvent(app, userId, userId, { kind, ...about });
  }
  const ofMoments = [
    ['TWO_FACTOR_ON', state.two_factor_since],
    ['TWO_FACTOR_OFF', state.two_factor_ended_at],
    ['RECOVERY_CODE_USED', state.recovery_code_used_at],
    ['PASSKEY_REMOVED', state.passkey_removed_at],
  ] as const;
  for (const [kind, at] of ofMoments) {
    if (!at) continue;
    const about = { at, address: null, sessionId: null };
    await recordSecurityEvent(app, userId, uuidOf(`${kind} of ${userId}`), { kind, ...about });
  }
  for (const { credential_id, created_at: at } of state.passkeys) {
    const id = uuidOf(`passkey ${credential_id} of ${userId}`);
    await recordSecurityEvent(app, userId, id, { kind: 'PASSKEY_ADDED', at, address: null, sessionId: null });
  }
  if (role_changed_at) {
    const kind = role === 'ADMINISTRATOR' ? 'ADMINISTRATOR_GRANTED' : 'ADMINISTRATOR_REVOKED';
    const about = { at: role_changed_at, address: null, sessionId: null };
    await recordSecurityEvent(app, userId, uuidOf(`role of ${userId}`), { kind, ...about });
  }
}
