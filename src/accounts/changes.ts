import { isDeepStrictEqual } from 'node:util';
import type { Changed } from '../aggregates/decide.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { untilShown } from '../context/shown.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import { unauthenticated, invalidInput } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { beginJob, doJob, doJobsOf, jobsOf } from '../jobs/operations.ts';
import { requireUnbreached } from '../passwords/breaches.ts';
import { removeRefreshCookie } from '../sessions/operations.ts';
import { admitMail, admitMailRequest, tryEmail } from '../throttling/operations.ts';
import { folded } from '../text/folding.ts';
import { HOUR_SECONDS } from '../time/units.ts';
import {
  accountKey,
  accounts,
  emailReservation,
  emailTaken,
  erased,
  hasSameEmail,
  isAwaitingVerification,
  requireExisting,
  requireSamePassword,
  type EmailField,
} from './aggregate.ts';
import { avatarInput, bioInput, emailInput, fullNameInput, newPasswordInput } from './inputs.ts';
import { askToVerify, noticeEmailChange, noticePasswordChange, sendVerification } from './mails.ts';
import { makeMailToken } from './mail-tokens.ts';
import { confirmChange, type Confirmation } from './operations.ts';
import { decidedByCode, tryCode, withCodeUsed } from './second-factor.ts';
import { accountAfterChange, requireViewer, type Account } from '../identity/operations.ts';
import { selectLoginInfo, type AccountState } from './tables.ts';

/** Changes of a reader's account, and its deletion. */

/** A rename that has not reached all lists yet. */
export interface PendingRename {
  readonly beganAt: Date;
  /** The number of finished pages of 200 likes. */
  readonly pagesDone: number;
}

/** Returns the viewer as they are after a change. */
export async function changedViewer(context: RequestContext, userId: string): Promise<{ viewer: Account }> {
  const viewer = await accountAfterChange(context, userId);
  if (!viewer) throw unauthenticated('SESSION_ENDED');
  return { viewer };
}

/**
 * Changes the viewer's name everywhere, their picture, and what they say about themselves. What is
 * not given is unchanged.
 * @throws {UserError} `INVALID_INPUT` about `fullName`, also if that name was taken down, about
 *   `bio` or `avatarUrl`
 */
export async function updateProfile(
  context: RequestContext,
  { fullName: name, bio, avatarUrl }: { fullName?: string | null; bio?: string | null; avatarUrl?: string | null },
) {
  const { id: userId } = await requireViewer(context);
  const { full_name: fullName, ...wanted } = readInput<Partial<Pick<AccountState, 'full_name' | 'bio' | 'avatar_url'>>>(
    {
      ...(name != null && { full_name: () => fullNameInput(name) }),
      ...(bio !== undefined && { bio: () => bioInput(bio) }),
      ...(avatarUrl !== undefined && { avatar_url: () => avatarInput(avatarUrl, context.config.avatarHosts) }),
    },
  );

  const expected = await accounts.read(context, accountKey(userId, 'PROFILE'));
  const isRenamed = fullName !== undefined && fullName !== expected?.full_name;
  if (isRenamed || !isDeepStrictEqual(expected, { ...expected, ...wanted })) {
    // Only a new name takes a job, which brings it to all lists.
    await accounts.change(context, accountKey(userId, isRenamed ? 'NAME' : 'PROFILE'), expected, (state) => {
      requireExisting(state);
      if (!isRenamed) return { ...state, ...wanted };
      requireAllowedName(fullName, state);
      return { ...state, ...wanted, full_name: fullName, name_version: state.version + 1 };
    });
    if (isRenamed) await doJobsOf(context, { type: 'User', key: userId });
  }
  await untilShown(context);
  return changedViewer(context, userId);
}

/**
 * Refuses a name that an administrator took down. The comparison ignores case and accents.
 * @throws {UserError} `INVALID_INPUT` about `fullName`
 */
function requireAllowedName(fullName: string, { taken_down_names }: AccountState): void {
  if (!taken_down_names.some((name) => folded(name) === folded(fullName))) return;
  throw invalidInput(['fullName'], 'An administrator took this name down. Choose another one.');
}

/** The new choices of a reader about their privacy; unset or null ones are unchanged. */
interface PrivacyInput {
  readonly likes?: Audience | null;
  readonly readings?: Audience | null;
  readonly takesMessages?: boolean | null;
  readonly approvesFollowers?: boolean | null;
}

/**
 * Changes the audiences of the viewer's likes and readings, whether they take messages, and whether
 * they approve their followers.
 */
export async function updatePrivacy(
  context: RequestContext,
  { likes, readings, takesMessages, approvesFollowers }: PrivacyInput,
) {
  const { id: userId } = await requireViewer(context);
  const key = accountKey(userId, 'PRIVACY');

  const wanted = {
    ...(likes && { likes_audience: likes }),
    ...(readings && { readings_audience: readings }),
    ...(takesMessages != null && { messages_refused: !takesMessages }),
    ...(approvesFollowers != null && { approves_followers: approvesFollowers }),
  };

  const expected = await accounts.read(context, key);
  // An unchanged setting must not cause all likes to be projected again.
  if (!isDeepStrictEqual(expected, { ...expected, ...wanted })) {
    await accounts.change(context, key, expected, (state) => {
      requireExisting(state);
      return { ...state, ...wanted };
    });
    await doJobsOf(context, { type: 'User', key: userId });
  }
  await untilShown(context);
  return changedViewer(context, userId);
}

/** Returns the rename of a reader that has not reached all lists yet; null if there is none. */
export async function pendingRenameOf(context: RequestContext, userId: string): Promise<PendingRename | null> {
  const job = (await jobsOf(context, { type: 'User', key: userId })).findLast(({ kind }) => kind === 'RENAME');
  return job ? { beganAt: job.begun_at, pagesDone: job.pages_done ?? 0 } : null;
}

/**
 * Changes the email that the viewer logs in with. If emails must be verified, nothing changes until
 * the new email is verified, so that nobody holds an address that is not theirs. An account that
 * will be deleted unless it is verified gets the new email at once. A new request replaces earlier
 * ones, and a request for the account's current email only cancels them.
 * @throws {UserError} `INVALID_EMAIL`, `EMAIL_TAKEN`, `INVALID_CREDENTIALS`, `TWO_FACTOR_REQUIRED`,
 *   `RATE_LIMITED`; `INVALID_INPUT` when another call changed it at the same time
 */
export async function changeEmail(context: RequestContext, input: { email: string } & Confirmation) {
  const { id: userId } = await requireViewer(context);
  const email = emailInput(input.email);
  const confirmed = await confirmChange(context, userId, input);

  const expected = await accounts.read(context, accountKey(userId, 'EMAIL'));
  requireSamePassword(confirmed, expected);
  if (expected.email === email) {
    await withdrawNewEmail(context, userId, expected);
    return changedViewer(context, userId);
  }
  const needsVerification = (state: AccountState) =>
    context.config.mail.emailVerification.isRequired && !isAwaitingVerification(state);
  if (needsVerification(expected)) {
    await askForEmail(context, userId, expected, email, input.code);
    return changedViewer(context, userId);
  }

  const next = (state: AccountState, at: Date) => {
    requireSamePassword(confirmed, state);
    if (needsVerification(state)) {
      throw invalidInput(['email'], 'Your email was verified just now. Try again, to get a mail at the new one.');
    }
    return { ...withCodeUsed(context, userId, state, input.code, at), email_verified_at: null };
  };
  const { state } = await decidedByCode(context, userId, () =>
    moveEmail(context, userId, expected, email, 'email', next),
  );
  // The email may have changed again by now.
  if (state?.email === email) askToVerify(context, userId, state);

  return changedViewer(context, userId);
}

/** Voids all tokens that were mailed to change an account's email. */
async function withdrawNewEmail(context: RequestContext, userId: string, known: AccountState): Promise<void> {
  await accounts.change(context, accountKey(userId, 'EMAIL'), known, (state) => {
    requireExisting(state);
    requireSameEmail(known, state, 'email');
    return state.new_email_token === '' ? undefined : { ...state, new_email_token: '' };
  });
}

/**
 * Sends a verification to the new email of an account. Its token replaces any token sent before.
 */
async function askForEmail(
  context: RequestContext,
  userId: string,
  known: AccountState,
  email: string,
  code: string | null | undefined,
): Promise<void> {
  await tryEmail(context, email, async () => {
    const reserved = await first(context.cassandra, selectLoginInfo, { email });
    if (reserved && reserved.user_id !== userId) throw emailTaken();
  });
  await admitMailRequest(context);
  await admitMail(context, { kind: 'EMAIL_VERIFICATION', email, userId, seconds: HOUR_SECONDS });
  const { text, hash } = await makeMailToken(context, 'VERIFY_EMAIL', userId, known, email);
  const next = (state: AccountState | undefined, at: Date) => {
    requireSamePassword(known, state);
    requireSameEmail(known, state, 'email');
    return { ...withCodeUsed(context, userId, state, code, at), new_email_token: hash };
  };
  await decidedByCode(context, userId, () => accounts.change(context, accountKey(userId, 'EMAIL'), known, next));
  sendVerification(context, known, text, email);
}

/**
 * Checks that an account still has the email that it had at another read.
 * @throws {UserError} `INVALID_INPUT` about a field
 */
function requireSameEmail(known: AccountState, state: AccountState, field: EmailField): void {
  if (hasSameEmail(state, known)) return;
  throw invalidInput([field], 'Another call has changed your email just now. Check it, then try again.');
}

/**
 * Changes the email of an account if no other account has it, and notifies the former email.
 * @param field the input field that gives the email
 * @param next returns the rest of the new state; it gets the state that the decision is based on,
 *   and may throw
 * @throws {UserError} `EMAIL_TAKEN`, `RATE_LIMITED`; `INVALID_INPUT` when another call changed it
 *   at the same time; or the error of `next`
 */
export async function moveEmail(
  context: RequestContext,
  userId: string,
  expected: AccountState,
  email: string,
  field: EmailField,
  next: (state: AccountState, at: Date) => AccountState,
): Promise<Changed<AccountState>> {
  const former = { email: expected.email, reservationId: expected.email_reservation_id };
  const wanted = { email, reservationId: context.randomId() };
  const key = accountKey(userId, 'EMAIL', [former, wanted]);

  const decide = (state: AccountState | undefined, at: Date) => {
    requireExisting(state);
    if (state.email_reservation_id === wanted.reservationId) return undefined;
    const content = next(state, at);
    // A reservation that this transaction's log entry does not name would never be released.
    requireSameEmail(expected, state, field);
    // A token for the former email must not block the next one.
    const changed = { email_changed_at: at, email_session_id: context.sessionId, verification_token: null };
    return { ...content, ...changed, email, email_reservation_id: wanted.reservationId };
  };
  const decided = await tryEmail(context, email, () =>
    accounts.change(context, key, expected, decide, emailReservation(context, userId, wanted, field)),
  );
  noticeEmailChange(context, userId, former.email);
  return decided;
}

/**
 * Changes the viewer's password, and ends their other sessions.
 * @throws {UserError} `INVALID_PASSWORD` about `newPassword`, `INVALID_CREDENTIALS` about
 *   `password`, `TWO_FACTOR_REQUIRED` or `INVALID_CREDENTIALS` about `code`, `RATE_LIMITED`
 */
export async function changePassword(context: RequestContext, input: { newPassword: string } & Confirmation) {
  const viewer = await requireViewer(context);
  const { id: userId } = viewer;
  const newPassword = newPasswordInput('newPassword', input.newPassword, context.config.passwords.lengthMin, viewer);
  await requireUnbreached(context, newPassword, 'newPassword');
  const known = await confirmChange(context, userId, input);
  const passwordHash = await context.passwords.hash(newPassword);

  const next = (state: AccountState | undefined, at: Date) => {
    if (state?.password_hash === passwordHash) return undefined;
    requireSamePassword(known, state);
    const used = withCodeUsed(context, userId, state, input.code, at);
    const changed = { password_changed_at: at, kept_session_id: context.sessionId };
    return { ...used, ...changed, password_hash: passwordHash };
  };
  const key = accountKey(userId, 'PASSWORD');
  await decidedByCode(context, userId, () => accounts.change(context, key, known, next));
  noticePasswordChange(context, userId, viewer.email);

  return changedViewer(context, userId);
}

/**
 * Deletes the viewer's account with everything that is stored about them.
 * @throws {UserError} `INVALID_CREDENTIALS`, `TWO_FACTOR_REQUIRED`, `RATE_LIMITED`
 */
export async function deleteAccount(context: RequestContext, input: Confirmation) {
  const { id: userId } = await requireViewer(context);
  const known = await confirmChange(context, userId, input);
  const isConfirmed = (state: AccountState, at: Date) => {
    // The erased state cannot record the use of the code. This call only makes the deletion fail if
    // another call has used the code meanwhile.
    withCodeUsed(context, userId, state, input.code, at);
    return true;
  };
  await tryCode(context, userId, () => eraseAccount(context, userId, known, isConfirmed));
  context.viewerId = null;
  context.sessionId = null;
  removeRefreshCookie(context);
  await doJobsOf(context, { type: 'User', key: userId });
  await untilShown(context);
  return {};
}

/**
 * Decides the deletion of an account; a job erases the rest.
 * @param known the account; its email is released
 * @param mayErase is called with the state that the decision is based on
 * @throws {UserError} `INVALID_INPUT` when its email was changed meanwhile, or the error of
 *   `mayErase`
 */
export async function eraseAccount(
  app: AppContext,
  userId: string,
  known: AccountState,
  mayErase: (state: AccountState, at: Date) => boolean,
): Promise<void> {
  const reservations = [{ email: known.email, reservationId: known.email_reservation_id }];

  await accounts.change(app, accountKey(userId, 'ERASURE', reservations), known, (state, at) => {
    if (!state || state.erased_at || !mayErase(state, at)) return undefined;
    if (!hasSameEmail(state, known)) {
      throw invalidInput([], 'Another call has changed your email just now. Nothing was deleted; try again.');
    }
    return erased(state, at);
  });
}

/**
 * Deletes an account again, with all its data, after a backup has restored some of it. It can be
 * repeated, and does nothing if the account does not exist.
 */
export async function eraseAgain(app: AppContext, userId: string): Promise<void> {
  const subject = { type: 'User', key: userId } as const;
  const known = await accounts.read(app, accountKey(userId, 'ERASURE'));
  // The backup may be older than the account.
  if (!known) return;
  if (!known.erased_at) await eraseAccount(app, userId, known, () => true);

  await beginJob(app, subject, 'ERASE', 'erased', app.clock());
  for (const job of await jobsOf(app, subject)) await doJob(app, job, () => true);
}
