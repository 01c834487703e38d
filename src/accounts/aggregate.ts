import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { recordActions } from '../activity/log.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { dropUnknownFields } from '../cassandra/unknown-fields.ts';
import { untilKnown } from '../cassandra/retries.ts';
import { applied } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { SecurityEventKind } from '../graphql/generated/schema-types.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { uuidOf } from '../graphql/ids.ts';
import { nameReadBooks } from '../reading/operations.ts';
import { recordSecurityEvent } from '../security/operations.ts';
import { endSessionsOf } from '../sessions/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { scheduleJob, unscheduleJob } from '../jobs/schedule.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import type { Precondition } from '../aggregates/kind.ts';
import { isTombstone, type Content } from '../aggregates/state.ts';
import {
  accountStates,
  insertLoginInfo,
  deleteLoginInfo,
  updateLoginInfo,
  type AccountState,
  type Passkey,
} from './tables.ts';

/**
 * A reservation of an email. Only the reservation that the account's state names is valid; all
 * others are released.
 */
const reservation = z.strictObject({ email: z.string(), reservationId: uuid });
export type EmailReservation = z.infer<typeof reservation>;

/** The key of a change of an account. `what` is the part of the account that changes. */
const keyModel = z.strictObject({
  userId: uuid,
  what: z.enum([
    'REGISTRATION',
    'NAME',
    'PROFILE',
    'PRIVACY',
    'NOTIFICATIONS',
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
 * Makes the key of a change of an account.
 * @param reservations the account's former and new reservations, if the email changes
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
  bio: null,
  avatar_url: null,
  role: null,
  role_changed_at: null,
  likes_audience: 'EVERYONE',
  readings_audience: 'ONLY_ME',
  suspended: false,
  messages_refused: false,
  approves_followers: false,
  muted_notifications: [] as string[],
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
  reset_token: null,
  verification_token: null,
  new_email_token: null,
  taken_down_names: [] as string[],
  registered_at: new Date(0),
} as const;

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

/**
 * Returns the state of a deleted account. It contains only the times of its registration and
 * deletion, and the deadline for its verification.
 */
export const erased = ({ registered_at, verify_by }: AccountState, at: Date): Content<AccountState> =>
  dropUnknownFields({ ...EMPTY, registered_at, verify_by, erased_at: at });

/**
 * @throws {UserError} `NOT_FOUND` when the account was deleted while a change of it was in progress
 */
export function requireExisting(state: AccountState | undefined): asserts state is AccountState {
  if (state && !state.erased_at) return;
  throw new UserError('NOT_FOUND', 'Your account was deleted just now.', ['input']);
}

/** True if an account will be deleted at `verify_by` unless its email is verified before then. */
export const isAwaitingVerification = (state: AccountState): state is AccountState & { verify_by: Date } =>
  !state.erased_at && !state.verified_once && state.verify_by !== null;

/** True if an account still has the password that it had at another read. */
export const hasSamePassword = (
  now: Pick<AccountState, 'password_changed_at'>,
  then: Pick<AccountState, 'password_changed_at'>,
): boolean => now.password_changed_at?.getTime() === then.password_changed_at?.getTime();

/** True if an account still has the email that it had at another read. */
export const hasSameEmail = (
  now: Pick<AccountState, 'email_reservation_id'>,
  then: Pick<AccountState, 'email_reservation_id'>,
): boolean => now.email_reservation_id === then.email_reservation_id;

/** The input field that gives the email: the email itself, or a token that was mailed to it. */
export type EmailField = 'email' | 'token';

/**
 * Checks that the password that confirmed a change is still the current one when the change is
 * decided.
 * @param known the account when the password was confirmed
 * @throws {UserError} `INVALID_CREDENTIALS` about `password`, `NOT_FOUND`
 */
export function requireSamePassword(
  known: AccountState,
  state: AccountState | undefined,
): asserts state is AccountState {
  requireExisting(state);
  if (hasSamePassword(state, known)) return;
  const message = 'Another call has changed your password just now. Log in with the new one.';
  throw new UserError('INVALID_CREDENTIALS', message, ['input', 'password']);
}

/** A number above every version of an account. */
const EVERY_VERSION = 2 ** 31 - 1;

/**
 * Reserves an email for an account, or extends the account's own reservation to a decision on a
 * newer version. Repeating it changes nothing.
 * @param version the version of the account that the decision is based on, 0 for a new account
 * @param field the input field that gives the email
 * @param prepare is called before every attempt
 * @throws {UserError} `EMAIL_TAKEN`; `INVALID_INPUT` while the same account releases another
 *   reservation of the email
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
    untilKnown(app.cassandra, async () => {
      await prepare();
      return applied(app.cassandra, insertLoginInfo, values);
    });
  let reserved = await insert();
  // The existing row may be our own: from an attempt whose answer was lost, or for a version that
  // has since been replaced.
  while (!reserved.applied && reserved.current?.reservation_id === reservationId) {
    if ((reserved.current.account_version ?? 0) >= version) return;
    const raised = await untilKnown(app.cassandra, () => applied(app.cassandra, updateLoginInfo, own));
    if (raised.applied) return;
    reserved = await insert();
  }
  if (reserved.applied) return;
  if (reserved.current?.user_id !== userId) throw emailTaken(field);
  const message = 'Another change of your email is in progress. Check it in a few seconds, then try again.';
  throw invalidInput([field], message);
}

/** The reservation of an email, taken before an account that names the email is decided. */
export const emailReservation = (
  app: AppContext,
  userId: string,
  reservation: EmailReservation,
  field?: EmailField,
): Precondition => ({
  name: 'reservation',
  take: (version, ensureLogged) => reserveEmail(app, userId, reservation, version, field, ensureLogged),
  // Only the caller of `release` could still use the reservation, so all its versions are released.
  release: () => releaseEmail(app, reservation, EVERY_VERSION),
});

/** The error for an email that belongs to another account. */
export const emailTaken = (field: EmailField = 'email') =>
  new UserError('EMAIL_TAKEN', 'This email belongs to an account already. Log in, or use another email.', [
    'input',
    field,
  ]);

/**
 * Releases a reservation of an email. Nothing changes if it is repeated, or if the reservation was
 * never made.
 * @param below a reservation for this version of the account or a newer one is kept, because its
 *   call may still decide
 */
async function releaseEmail(
  { cassandra }: AppContext,
  { email, reservationId }: EmailReservation,
  below: number,
): Promise<void> {
  const values = { email, reservation_id: reservationId, account_version: below };
  await untilKnown(cassandra, () => applied(cassandra, deleteLoginInfo, values));
}

/** The source of truth for a reader's identity and credentials, and its projections. */
export const accounts = aggregate({
  name: 'account',
  key: keyModel,
  table: accountStates,
  rowKey: ({ userId }) => ({ user_id: userId }),
  // An abandoned registration looks like a deleted account.
  tombstone: { ...EMPTY, erased_at: new Date(0) },
  projectionContext: () => Promise.resolve({}),
  shownAs: ({ userId }) => [{ kind: 'READER', key: userId }],
  // A state contains only the latest administrator decision of each kind, so a decision must be
  // recorded before the next one replaces it.
  needsFormerProjection: (former, next) =>
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

/** True if a moment that was set is changed or removed. */
const isAnother = (former: Date | null, next: Date | null) => former !== null && former.getTime() !== next?.getTime();

/** Records the last decisions of administrators about an account. */
async function recordDecisions(app: AppContext, userId: string, state: AccountState): Promise<void> {
  const about = { type: 'User', key: userId } as const;
  await recordDecisionFor(app, about, userId, {
    kind: state.suspended ? 'ACCOUNT_SUSPENDED' : 'ACCOUNT_REINSTATED',
    at: state.suspension_at,
    by: state.suspension_by,
    reason: state.suspension_reason,
  });
  await recordDecisionFor(app, about, userId, {
    kind: 'NAME_TAKEN_DOWN',
    at: state.name_taken_down_at,
    by: state.name_taken_down_by,
    reason: state.name_taken_down_reason,
  });
}

/**
 * Records the latest changes of email, password, second factor, passkeys and role, and the
 * verification of the email. The ids of the events are derived from the state, so each event is
 * recorded once.
 */
async function recordChanges(app: AppContext, userId: string, state: AccountState): Promise<void> {
  const { email_reservation_id: emailId, kept_session_id: keptId, role } = state;
  const record = async (kind: SecurityEventKind, at: Date | null, id: string, sessionId: string | null = null) => {
    if (at) await recordSecurityEvent(app, userId, id, { kind, at, address: null, sessionId });
  };
  const recordLatest = (kind: SecurityEventKind, at: Date | null) => record(kind, at, uuidOf(`${kind} of ${userId}`));

  await record('EMAIL_CHANGED', state.email_changed_at, emailId, state.email_session_id);
  await record('EMAIL_VERIFIED', state.email_verified_at, uuidOf(`verified ${emailId}`));
  await record(keptId === null ? 'PASSWORD_RESET' : 'PASSWORD_CHANGED', state.password_changed_at, userId, keptId);
  await recordLatest('TWO_FACTOR_ON', state.two_factor_since);
  await recordLatest('TWO_FACTOR_OFF', state.two_factor_ended_at);
  await recordLatest('RECOVERY_CODE_USED', state.recovery_code_used_at);
  await recordLatest('PASSKEY_REMOVED', state.passkey_removed_at);
  for (const { credential_id, created_at } of state.passkeys)
    await record('PASSKEY_ADDED', created_at, uuidOf(`passkey ${credential_id} of ${userId}`));
  const roleChange = role === 'ADMINISTRATOR' ? 'ADMINISTRATOR_GRANTED' : 'ADMINISTRATOR_REVOKED';
  await record(roleChange, state.role_changed_at, uuidOf(`role of ${userId}`));
}
