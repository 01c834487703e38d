import { first } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { RequestError, unauthenticated, UserError } from '../graphql/errors.ts';
import type { Audience } from '../graphql/schema.generated.ts';
import { userLoader, usersNow } from './loaders.ts';
import { selectUserSerially } from './tables.ts';

/** Who is asking, and who somebody is. */

/** A reader, as everybody may see them. */
export interface User {
  readonly type: 'User';
  readonly id: string;
  readonly fullName: string;
}

/** A reader with what only some may see. */
export interface Account extends User {
  readonly email: string;
  /** Whether they have proved that they get what is sent there. */
  readonly isEmailVerified: boolean;
  /** Whether logging in takes a code as well. */
  readonly isTwoFactorEnabled: boolean;
  readonly registeredAt: Date;
  /** Whether they keep the catalogue. */
  readonly isAdministrator: boolean;
  /** By an administrator: they cannot log in, and others see nothing of them. */
  readonly isSuspended: boolean;
}

/** A reader by id; null when there is none, or none any more. */
export async function accountById(context: RequestContext, userId: string): Promise<Account | null> {
  const row = await userLoader(context).load(userId);
  return row && !row.erased_at ? accountOf(row) : null;
}

/** A reader as they are after a change, whatever the request has read before; null when there is none. */
export function accountAfterChange(context: RequestContext, userId: string): Promise<Account | null> {
  userLoader(context).clear(userId);
  return accountById(context, userId);
}

const accountOf = (row: {
  user_id: string;
  full_name: string;
  email: string;
  email_verified_at: Date | null;
  two_factor_since: Date | null;
  registered_at: Date;
  role: string | null;
  suspended: boolean;
}): Account => ({
  type: 'User',
  id: row.user_id,
  fullName: row.full_name,
  email: row.email,
  isEmailVerified: row.email_verified_at !== null,
  isTwoFactorEnabled: row.two_factor_since !== null,
  registeredAt: row.registered_at,
  isAdministrator: row.role === 'ADMINISTRATOR',
  isSuspended: row.suspended,
});

/**
 * A reader who is known to exist, because something of theirs was just read; nameless when they have just deleted their
 * account.
 * @throws Error when there never was one
 */
export async function existingAccount(context: RequestContext, userId: string): Promise<Account> {
  const row = await userLoader(context).load(userId);
  if (!row) throw new Error(`Something belongs to the reader ${userId}, who never existed`);
  return accountOf(row);
}

/**
 * The row of an account as it is now, whatever a request has read before. What belongs to an account that is not there is taken back
 * and forgotten, for good; so that there is none counts only where conditional writes know of none. A read that merely does
 * not find it costs another one, and decides nothing.
 * @throws {CassandraError} when that cannot be found out
 */
async function accountRowNow(app: AppContext, userId: string) {
  const row = await usersNow(app).load(userId);
  return row ?? first(app.cassandra, selectUserSerially, { user_id: userId });
}

/**
 * What lists say of a reader, as it is now, whatever a request has read before; `undefined` when their account is deleted.
 * @returns `likesAudience`: who may see what they like: nobody else while the account is suspended
 */
export async function accountNow(
  app: AppContext,
  userId: string,
): Promise<{ readonly fullName: string; readonly likesAudience: Audience; readonly isSuspended: boolean } | undefined> {
  const row = await accountRowNow(app, userId);
  if (row?.erased_at !== null) return undefined;
  const { full_name: fullName, likes_audience, suspended: isSuspended } = row;
  return { fullName, likesAudience: isSuspended ? 'ONLY_ME' : likes_audience, isSuspended };
}

/**
 * When a reader registered, whether or not their account is deleted.
 * @throws Error when there never was one
 */
export async function registeredAtOf(app: AppContext, userId: string): Promise<Date> {
  const row = await accountRowNow(app, userId);
  if (!row) throw new Error(`The reader ${userId} never existed`);
  return row.registered_at;
}

/** Of an account that its reader cannot go on with. @param path the input field it is about */
export const accountSuspended = (path: readonly string[]) =>
  new UserError('ACCOUNT_SUSPENDED', 'This account is suspended. Ask those who run the library why.', path);

/** The reader who is logged in; null when signed out. */
export async function viewerOf(context: RequestContext): Promise<Account | null> {
  return context.viewerId === null ? null : accountById(context, context.viewerId);
}

/**
 * The id of the reader who is logged in, for what finds out by itself whether their account is still there.
 * @throws `UNAUTHENTICATED` when signed out
 */
export function requireSignedIn({ viewerId }: RequestContext): string {
  if (viewerId === null) throw unauthenticated('NO_TOKEN');
  return viewerId;
}

/**
 * The reader who is logged in, for what only readers can do.
 * @throws `UNAUTHENTICATED` when signed out
 */
export async function requireViewer(context: RequestContext): Promise<Account> {
  const viewer = await viewerOf(context);
  if (!viewer) throw unauthenticated(context.viewerId === null ? 'NO_TOKEN' : 'SESSION_ENDED');
  return viewer;
}

/**
 * Refuses a reader who is to verify their email before they change anything. Somebody signed out, and whose account is gone, is not
 * refused here.
 * @throws {UserError} `EMAIL_NOT_VERIFIED`
 */
export async function mustBeVerified(context: RequestContext): Promise<void> {
  if (!context.config.mail.emailVerification.isRequired) return;
  const viewer = await viewerOf(context);
  if (!viewer || viewer.isEmailVerified) return;

  // They may have verified it just now, on another server, or elsewhere in this request.
  const row = await first(context.cassandra, selectUserSerially, { user_id: viewer.id });
  userLoader(context).clear(viewer.id);
  if (row?.erased_at !== null || row.email_verified_at) return;
  const message =
    'Verify your email address first: use what the mail to it says. If you got none, ask for another one, or change the address.';
  throw new UserError('EMAIL_NOT_VERIFIED', message, ['input']);
}

/**
 * Refuses whoever does not keep the catalogue what only they may ask for.
 * @throws `UNAUTHENTICATED` when signed out, `FORBIDDEN` for any other reader
 */
export async function mustBeAdministrator(context: RequestContext): Promise<void> {
  await administratorOr(context, () => new RequestError('FORBIDDEN', 'Only administrators can ask for this.'));
}

/**
 * The reader who is logged in, for what only those who keep the catalogue can do.
 * @throws `UNAUTHENTICATED` when signed out
 * @throws {UserError} `FORBIDDEN` for any other reader
 */
export const requireAdministrator = (context: RequestContext): Promise<Account> =>
  administratorOr(context, () => new UserError('FORBIDDEN', 'Only administrators can do this.', ['input']));

async function administratorOr(context: RequestContext, refusal: () => Error): Promise<Account> {
  const viewer = await requireViewer(context);
  if (viewer.isAdministrator) return viewer;

  context.logger.info({ userId: viewer.id }, 'a reader was refused what only administrators can do');
  throw refusal();
}
