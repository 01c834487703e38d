import { z } from 'zod';
import { recordActions } from '../activity/operations.ts';
import { applied, first, write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context.ts';
import { RequestError, unauthenticated, UserError } from '../errors.ts';
import { nameReadBooks } from '../reading/operations.ts';
import { settle } from '../cassandra/settle.ts';
import { transact, type Step, type TransactionKind } from '../transactions/operations.ts';
import { normaliseEmail } from './emails.ts';
import { claimEmail, insertUser, selectLoginInfo } from './tables.ts';
import { issueAccessToken } from './tokens.ts';

/** A reader, as everybody may see them. */
export interface User {
  readonly type: 'User';
  readonly id: string;
  readonly fullName: string;
}

/** A reader with what only some may see. */
export interface Account extends User {
  readonly email: string;
  readonly registeredAt: Date;
}

/** A reader who is logged in now. */
export interface LoggedIn {
  readonly viewer: User;
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date;
}

const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 256;
const FULL_NAME_LENGTH_MAX = 100;

const registration = z.strictObject({
  userId: z.uuid(),
  email: z.string(),
  fullName: z.string(),
  passwordHash: z.string(),
  registeredAt: z.coerce.date(),
});
type Registration = z.infer<typeof registration>;

/** Makes an account: claims the email, then writes what follows from it. */
export const registrationTransaction: TransactionKind<Registration> = {
  name: 'register',
  payload: registration,
  recover: completeRegistration,
};

async function completeRegistration(app: AppContext, account: Registration, step: Step): Promise<void> {
  const { userId, email, fullName, registeredAt } = account;
  await step('claim', () => claim(app, account));
  await step('user', () =>
    write(app.cassandra, insertUser, { user_id: userId, email, full_name: fullName, registered_at: registeredAt }),
  );
  await step('readBooks', () => nameReadBooks(app, userId, fullName));
  await step('action', () => recordActions(app, userId, [{ kind: 'REGISTERED', at: registeredAt, subject: '' }]));
}

async function claim(app: AppContext, { userId, email, passwordHash, registeredAt }: Registration): Promise<void> {
  const claimed = await settle(app.cassandra, () =>
    applied(app.cassandra, claimEmail, {
      email,
      user_id: userId,
      password_hash: passwordHash,
      registered_at: registeredAt,
    }),
  );
  // The row that stands in the way may be our own, of a try whose answer was lost.
  if (!claimed.applied && claimed.current?.user_id !== userId) throw emailTaken();
}

const emailTaken = () =>
  new UserError('EMAIL_TAKEN', 'This email belongs to an account already. Log in, or use another email.', [
    'input',
    'email',
  ]);

/**
 * Makes an account and logs in.
 * @throws {UserError} `INVALID_EMAIL`, `INVALID_PASSWORD`, `INVALID_INPUT` (fullName), `EMAIL_TAKEN`
 */
export async function register(
  context: RequestContext,
  input: { email: string; password: string; fullName: string },
): Promise<LoggedIn> {
  const email = normaliseEmail(input.email);
  if (email === undefined) {
    throw new UserError('INVALID_EMAIL', 'This is not an email address, such as ann@example.com.', ['input', 'email']);
  }
  checkPassword(input.password);
  const fullName = checkFullName(input.fullName);
  if (await first(context.cassandra, selectLoginInfo, { email })) throw emailTaken();
  const registeredAt = context.clock();
  const account: Registration = {
    userId: context.randomId(),
    email,
    fullName,
    passwordHash: await context.passwords.hash(input.password),
    registeredAt,
  };
  await transact(context, registrationTransaction, account, ({ step }) => completeRegistration(context, account, step));
  return loggedIn(context, { type: 'User', id: account.userId, fullName }, registeredAt);
}

async function loggedIn(context: RequestContext, viewer: User, now: Date): Promise<LoggedIn> {
  context.viewerId = viewer.id;
  return { viewer, ...(await issueAccessToken(context.config, viewer.id, now)) };
}

/** In characters as people count them, nearly: code points. */
const lengthOf = (text: string) => Array.from(text).length;

function checkPassword(password: string): void {
  const length = lengthOf(password);
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    const message =
      length < PASSWORD_LENGTH_MIN
        ? `The password has ${String(length)} characters; use at least ${String(PASSWORD_LENGTH_MIN)}.`
        : `The password has ${String(length)} characters; use at most ${String(PASSWORD_LENGTH_MAX)}.`;
    throw new UserError('INVALID_PASSWORD', message, ['input', 'password']);
  }
}

function checkFullName(text: string): string {
  const fullName = text.normalize('NFC').trim();
  const length = lengthOf(fullName);
  if (length < 1 || length > FULL_NAME_LENGTH_MAX || /\p{Cc}/u.test(fullName)) {
    throw new UserError(
      'INVALID_INPUT',
      `A name has 1 to ${String(FULL_NAME_LENGTH_MAX)} characters, without line breaks.`,
      ['input', 'fullName'],
    );
  }
  return fullName;
}

/**
 * Logs in.
 * @throws {UserError} `INVALID_CREDENTIALS`, the same for an unknown email and a wrong password
 */
export async function login(context: RequestContext, input: { email: string; password: string }): Promise<LoggedIn> {
  const email = normaliseEmail(input.email);
  const found = email === undefined ? undefined : await first(context.cassandra, selectLoginInfo, { email });
  const matches = await context.passwords.verify(found?.password_hash, input.password);
  if (!found || !matches) {
    throw new UserError('INVALID_CREDENTIALS', 'No account has this email and password. Check both.', ['input']);
  }
  const now = context.clock();
  const viewer = await accountById(context, found.user_id);
  if (!viewer) {
    throw new RequestError(
      'OVERLOADED',
      'This account is still being made. Nothing was done; try again in a few seconds.',
    );
  }
  await recordActions(context, viewer.id, [{ kind: 'LOGGED_IN', at: now, subject: '' }]);
  return loggedIn(context, viewer, now);
}

/** A reader by id; null when there is none. */
export async function accountById(context: RequestContext, userId: string): Promise<Account | null> {
  const row = await context.loaders.users.load(userId);
  return row
    ? { type: 'User', id: row.user_id, fullName: row.full_name, email: row.email, registeredAt: row.registered_at }
    : null;
}

/**
 * A reader who is known to exist, because something of theirs was just read.
 * @throws Error when they do not: what belongs to a reader must not outlive them
 */
export async function existingAccount(context: RequestContext, userId: string): Promise<Account> {
  const account = await accountById(context, userId);
  if (!account) throw new Error(`Something belongs to the reader ${userId}, who does not exist`);
  return account;
}

/** The reader who is logged in; null when signed out. */
export async function viewerOf(context: RequestContext): Promise<Account | null> {
  return context.viewerId === null ? null : accountById(context, context.viewerId);
}

/**
 * The reader who is logged in, for what only readers can do.
 * @throws `UNAUTHENTICATED` when signed out
 */
export async function requireViewer(context: RequestContext): Promise<Account> {
  const viewer = await viewerOf(context);
  if (!viewer) throw unauthenticated();
  return viewer;
}
