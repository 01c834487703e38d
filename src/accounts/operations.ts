import { CassandraError } from '../cassandra/errors.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { requireUnbreached } from '../passwords/breaches.ts';
import { deviceInput, endSession, openSession, sessionInput, type OpenedSession } from '../sessions/operations.ts';
import { uuidOf } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import { admitRegistration, rememberAddress, tryEmail, tryFactors } from '../throttling/operations.ts';
import { accountKey, accounts, emailReservation, emailTaken, hasSamePassword, registered } from './aggregate.ts';
import { normaliseEmail } from './emails.ts';
import { recordFailedTry } from './failed-tries.ts';
import { askToVerify } from './mails.ts';
import { emailInput, fullNameInput, newPasswordInput, normaliseFullName } from './inputs.ts';
import { hasSecondFactor, passSecondFactor, tryCode, withCodeUsed } from './second-factor.ts';
import { accountStates, selectAccount, selectLoginInfo, type AccountState } from './tables.ts';
import { accountSuspended, type User } from '../identity/operations.ts';
import { afterDecision } from '../transactions/operations.ts';

/** A reader who has just logged in. */
export interface LoggedIn extends OpenedSession {
  readonly viewer: User;
}

/** The optional inputs of every login. */
export interface DeviceInput {
  readonly device?: string | null;
  /** The session of the visitor before they logged in. */
  readonly sessionId?: string | null;
}

/** The time for which failed tries on an account that does not exist are kept. */
const UNKNOWN_KEPT_SECONDS = 3_600;

/**
 * Makes an account and logs in.
 * @throws {UserError} `INVALID_EMAIL`, `INVALID_PASSWORD`, `INVALID_INPUT` (fullName, device,
 *   sessionId), `EMAIL_TAKEN`, `RATE_LIMITED`
 */
export async function register(
  context: RequestContext,
  input: { email: string; password: string; fullName: string } & DeviceInput,
): Promise<LoggedIn> {
  const { lengthMin } = context.config.passwords;
  // The password is checked against the email and name as far as they are valid.
  const owner = { email: normaliseEmail(input.email), fullName: normaliseFullName(input.fullName) };
  const { email, password, fullName, visit } = readInput({
    email: () => emailInput(input.email),
    password: () => newPasswordInput('password', input.password, lengthMin, owner),
    fullName: () => fullNameInput(input.fullName),
    visit: () => visitInput(input),
  });
  await requireUnbreached(context, password, 'password');

  const { userId, state } = await tryEmail(context, email, async () => {
    if (await first(context.cassandra, selectLoginInfo, { email })) throw emailTaken();
    await admitRegistration(context);
    return makeAccount(context, email, fullName, await context.passwords.hash(password));
  });
  await rememberAddress(context, userId);
  const opened = await afterDecision(() => openSession(context, { userId, by: 'REGISTER', ...visit }));
  if (state) askToVerify(context, userId, state);
  return { viewer: { type: 'User', id: userId, fullName }, ...opened };
}

/**
 * Reads the device and the visitor's session of a login.
 * @throws {UserError} `INVALID_INPUT` (device, sessionId)
 */
export const visitInput = ({ device, sessionId }: DeviceInput) =>
  readInput({
    device: () => deviceInput(device),
    visitId: () => (sessionId == null ? undefined : sessionInput(sessionId)),
  });

async function makeAccount(context: RequestContext, email: string, fullName: string, passwordHash: string) {
  const userId = context.randomId();
  const reservation = { email, reservationId: context.randomId() };
  const key = accountKey(userId, 'REGISTRATION', [reservation]);

  const { state } = await accounts.change(
    context,
    key,
    undefined,
    (found, at) => {
      // Recovery has abandoned the registration, because this process was slow.
      if (found) throw new CassandraError('unknown', 'a registration was abandoned', undefined);
      return { ...registered(reservation, { fullName, passwordHash }, at), verify_by: deadlineOf(context, at) };
    },
    emailReservation(context, userId, reservation),
  );

  return { userId, state };
}

/**
 * Returns the moment at which a new account is deleted unless it is verified; null if it is never
 * deleted.
 */
function deadlineOf({ config }: AppContext, registeredAt: Date): Date | null {
  const { isRequired, accountSeconds } = config.mail.emailVerification;
  return isRequired ? new Date(registeredAt.getTime() + accountSeconds * 1_000) : null;
}

/**
 * Logs in.
 * @throws {UserError} `INVALID_CREDENTIALS`, the same for an unknown email and a wrong password;
 *   `TWO_FACTOR_REQUIRED` or `INVALID_CREDENTIALS` about `code`; `ACCOUNT_SUSPENDED`;
 *   `RATE_LIMITED`; `INVALID_INPUT` (device, sessionId)
 */
export async function login(
  context: RequestContext,
  input: { email: string; password: string; code?: string | null } & DeviceInput,
): Promise<LoggedIn> {
  const visit = visitInput(input);
  const { userId, state } = await accountOfEmail(context, input.email);
  const known = await tryFactors(context, userId, { proves: 'ALL' }, async () => {
    const found = await verify(context, userId, state, input.password, ['input']);
    await passSecondFactor(context, userId, found, input.code);
    return found;
  });
  // Only a caller with the right password learns of the suspension.
  if (known.suspended) throw accountSuspended(['input']);
  const enter = async () => {
    await upgradeHash(context, userId, known, input.password);
    return openLogin(context, userId, known, visit);
  };
  return hasSecondFactor(known) ? afterDecision(enter) : enter();
}

/**
 * Opens the session of a reader who has just proved who they are.
 * @param known the account at that moment
 * @throws {UserError} `INVALID_CREDENTIALS` or `ACCOUNT_SUSPENDED` when the proof is no longer
 *   valid
 */
export async function openLogin(
  context: RequestContext,
  userId: string,
  known: AccountState,
  visit: ReturnType<typeof visitInput>,
): Promise<LoggedIn> {
  const opened = await openSession(context, { userId, by: 'LOGIN', ...visit });
  // A call that changed the password, or suspended or deleted the account meanwhile, may not have
  // seen this session.
  const now =
    (await credentialsOf(context, userId)) ?? (await accountStates.read(context.cassandra, { user_id: userId }));
  const isSame = now !== undefined && hasSamePassword(now, known);
  if (!isSame || now.erased_at !== null || now.suspended) {
    const isSuspended = isSame && now.suspended;
    await endSession(context, opened.session.id, isSuspended ? 'SUSPENSION' : 'PASSWORD_CHANGE');
    context.viewerId = null;
    throw isSuspended ? accountSuspended(['input']) : invalidCredentials(['input']);
  }
  return { viewer: { type: 'User', id: userId, fullName: known.full_name }, ...opened };
}

/**
 * Returns the account of an email. An email without an account has a stand-in, and its id is
 * returned. Both cases take equally long.
 */
export async function accountOfEmail(
  context: RequestContext,
  text: string,
): Promise<{ userId: string; state: AccountState | undefined }> {
  // A text that is not an email is looked up as well, and finds no account. Hashing it limits its
  // length.
  const email = normaliseEmail(text) ?? uuidOf(text);
  const reserved = await first(context.cassandra, selectLoginInfo, { email });
  const standIn = uuidOf(`account ${email}`);
  const state = await credentialsOf(context, reserved?.user_id ?? standIn);
  // A reservation that is being made or released belongs to an account that does not have this
  // email.
  return reserved && state?.email === email
    ? { userId: reserved.user_id, state }
    : { userId: standIn, state: undefined };
}

/** Returns the state of an account, including the password hash, by a plain read. */
export const credentialsOf = async ({ cassandra }: AppContext, userId: string): Promise<AccountState | undefined> =>
  (await first(cassandra, selectAccount, { user_id: userId }))?.state;

const invalidCredentials = (path: readonly string[]) =>
  path.length > 1
    ? new UserError('INVALID_CREDENTIALS', 'This is not the password of your account.', path)
    : new UserError('INVALID_CREDENTIALS', 'No account has this email and password. Check both.', path);

/**
 * Verifies a password, taking as long for an account that does not exist, and records a failure.
 */
async function verify(
  context: RequestContext,
  userId: string,
  state: AccountState | undefined,
  password: string,
  path: readonly string[],
): Promise<AccountState> {
  // An account that is being deleted may still be found, but has no hash.
  const isThere = state?.erased_at === null;
  const matches = await context.passwords.verify(isThere ? state.password_hash : undefined, password);
  if (isThere && matches) return state;
  await recordFailedTry(context, userId, isThere ? 0 : UNKNOWN_KEPT_SECONDS);
  throw invalidCredentials(path);
}

/**
 * Asks the viewer for their password again, before a change that cannot be undone.
 * @param also the rest of the same attempt; it throws if the account has a second factor and the
 *   attempt did not pass it
 * @throws {UserError} `INVALID_CREDENTIALS` or `RATE_LIMITED`, or the error of `also`
 */
export async function confirmPassword(
  context: RequestContext,
  userId: string,
  password: string,
  also: (known: AccountState) => unknown,
): Promise<AccountState> {
  const state = await credentialsOf(context, userId);
  return tryFactors(context, userId, { proves: 'ALL' }, async () => {
    const known = await verify(context, userId, state, password, ['input', 'password']);
    await also(known);
    return known;
  });
}

/**
 * Asks the viewer for their password again, for a change that needs only one factor.
 * @throws {UserError} `INVALID_CREDENTIALS` about `password`, `RATE_LIMITED`
 */
export async function confirmByPassword(context: RequestContext, userId: string, password: string): Promise<void> {
  const state = await credentialsOf(context, userId);
  await tryFactors(context, userId, { proves: 'SOME' }, () =>
    verify(context, userId, state, password, ['input', 'password']),
  );
}

/** The proof for a change that an open session alone does not allow. */
export interface Confirmation {
  readonly password: string;
  /** The code, if the account has a second factor. */
  readonly code?: string | null;
}

/**
 * Asks the viewer for their password again, and for a code if they have a second factor. The
 * confirmed change itself uses the code (`withCodeUsed`), so a valid code remains valid if nothing
 * changes.
 * @throws {UserError} `TWO_FACTOR_REQUIRED` or `INVALID_CREDENTIALS`, `TWO_FACTOR_NOT_SET_UP`,
 *   `RATE_LIMITED`
 */
export const confirmChange = (
  context: RequestContext,
  userId: string,
  { password, code }: Confirmation,
): Promise<AccountState> =>
  confirmPassword(context, userId, password, (known) =>
    tryCode(context, userId, () => withCodeUsed(context, userId, known, code, context.clock())),
  );

/** Replaces a hash made with weaker settings. This is possible only while the password is known. */
async function upgradeHash(
  context: RequestContext,
  userId: string,
  known: AccountState,
  password: string,
): Promise<void> {
  if (!context.passwords.isOutdated(known.password_hash)) return;
  const passwordHash = await context.passwords.hash(password);
  await accounts.change(context, accountKey(userId, 'PASSWORD'), known, (state) =>
    state?.password_hash === known.password_hash ? { ...state, password_hash: passwordHash } : undefined,
  );
}

/**
 * Makes a reader an administrator, or revokes that.
 * @returns false if no account has this email
 */
export async function setAdministrator(context: RequestContext, email: string, isOne: boolean): Promise<boolean> {
  const { userId, state } = await accountOfEmail(context, email);
  if (!state) return false;
  const role = isOne ? 'ADMINISTRATOR' : null;
  await accounts.change(context, accountKey(userId, 'ROLE'), state, (current, at) =>
    current && !current.erased_at && current.role !== role ? { ...current, role, role_changed_at: at } : undefined,
  );
  return true;
}
