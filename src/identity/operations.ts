import { first } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { RequestError, unauthenticated, UserError } from '../graphql/errors.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import { isPictureUrl } from '../graphql/picture-urls.ts';
import { userLoader, usersNow } from './loaders.ts';
import { selectUserSerially, type UserRow } from './tables.ts';

/** The caller of a request, and readers by their ids. */

/** A reader with the fields that everybody may see. */
export interface User {
  readonly type: 'User';
  readonly id: string;
  readonly fullName: string;
}

/** A reader with the fields that only some may see. */
export interface Account extends User {
  /** The text of the reader about themselves; null if there is none. */
  readonly bio: string | null;
  /**
   * The address of the reader's picture, on a host that was allowed then; null if there is none.
   */
  readonly avatarUrl: string | null;
  readonly email: string;
  /** True if the reader has proved that they receive mail at this address. */
  readonly isEmailVerified: boolean;
  /** True if logging in also takes a code. */
  readonly isTwoFactorEnabled: boolean;
  readonly registeredAt: Date;
  /** True if the reader maintains the catalogue. */
  readonly isAdministrator: boolean;
  /**
   * True if an administrator has suspended the account: the reader cannot log in, and others see
   * nothing of them.
   */
  readonly isSuspended: boolean;
  /** True if other readers may write to the reader about a copy. */
  readonly takesMessages: boolean;
  /** True if other readers can only ask to follow the reader. */
  readonly approvesFollowers: boolean;
  /** The kinds of notifications that the reader has switched off. */
  readonly mutedNotifications: readonly string[];
}

/** Returns a reader by id; null if there is none or the account was deleted. */
export async function accountById(context: RequestContext, userId: string): Promise<Account | null> {
  const row = await userLoader(context).load(userId);
  return row && !row.erased_at ? accountOf(row) : null;
}

/**
 * Returns the address of a reader's picture; null if there is none, or its host is not allowed any
 * longer.
 */
export const shownAvatar = ({ config }: AppContext, { avatarUrl }: Account): string | null =>
  avatarUrl !== null && isPictureUrl(avatarUrl, config.avatarHosts) ? avatarUrl : null;

/**
 * Returns a reader as they are after a change, even if the request has read them before; null if
 * there is none.
 */
export function accountAfterChange(context: RequestContext, userId: string): Promise<Account | null> {
  userLoader(context).clear(userId);
  return accountById(context, userId);
}

const accountOf = (row: UserRow): Account => ({
  type: 'User',
  id: row.user_id,
  fullName: row.full_name,
  bio: row.bio,
  avatarUrl: row.avatar_url,
  email: row.email,
  isEmailVerified: row.email_verified_at !== null,
  isTwoFactorEnabled: row.two_factor_since !== null,
  registeredAt: row.registered_at,
  isAdministrator: row.role === 'ADMINISTRATOR',
  isSuspended: row.suspended,
  takesMessages: !row.messages_refused,
  approvesFollowers: row.approves_followers === true,
  mutedNotifications: row.muted_notifications,
});

/**
 * Returns a reader who is known to exist, because something of theirs was just read. They have no
 * name if they have just deleted their account.
 * @throws Error if there never was such a reader
 */
export async function existingAccount(context: RequestContext, userId: string): Promise<Account> {
  const row = await userLoader(context).load(userId);
  if (!row) throw new Error(`A row refers to the reader ${userId}, who never existed`);
  return accountOf(row);
}

/**
 * Returns the current row of an account, even if the request has read it before. The data of a
 * missing account is erased permanently, so only a serial read decides that an account is missing.
 * If a plain read does not find it, a serial read follows.
 * @throws {CassandraError} if that cannot be determined
 */
async function accountRowNow(app: AppContext, userId: string) {
  const row = await usersNow(app).load(userId);
  return row ?? first(app.cassandra, selectUserSerially, { user_id: userId });
}

/**
 * Returns the current data of a reader that lists show, even if the request has read it before;
 * `undefined` if the account is deleted.
 * @returns `likesAudience`: the readers who may see their likes; only themselves while the account
 *   is suspended
 */
export async function accountNow(
  app: AppContext,
  userId: string,
): Promise<{ readonly fullName: string; readonly likesAudience: Audience; readonly isSuspended: boolean } | undefined> {
  const row = await accountRowNow(app, userId);
  if (row?.erased_at !== null) return undefined;
  const { full_name: fullName, suspended: isSuspended } = row;
  return { fullName, likesAudience: likesAudienceOf(row), isSuspended };
}

/** Nobody else sees the likes of a suspended reader. */
const likesAudienceOf = ({ likes_audience, suspended }: UserRow): Audience => (suspended ? 'ONLY_ME' : likes_audience);

/** A reader whose likes may be counted in results that everybody sees. */
export interface OpenLiker {
  readonly userId: string;
  readonly registeredAt: Date;
}

/** Returns those among some readers whose likes everybody may see, as their accounts are now. */
export async function openLikersAmong(app: AppContext, userIds: readonly string[]): Promise<OpenLiker[]> {
  const found = await Promise.all(userIds.map((userId) => usersNow(app).load(userId)));
  return found.flatMap((row) =>
    row && !row.erased_at && likesAudienceOf(row) === 'EVERYONE'
      ? { userId: row.user_id, registeredAt: row.registered_at }
      : [],
  );
}

/**
 * The owner of an aggregate that belongs to several readers; `undefined` if the account of one is
 * deleted.
 */
export async function readersNow(app: AppContext, userIds: readonly string[]): Promise<object | undefined> {
  const accounts = await Promise.all(userIds.map((userId) => accountNow(app, userId)));
  return accounts.every((account) => account !== undefined) ? {} : undefined;
}

/**
 * Returns when a reader registered, even if the account is deleted.
 * @throws Error if there never was such a reader
 */
export async function registeredAtOf(app: AppContext, userId: string): Promise<Date> {
  const row = await accountRowNow(app, userId);
  if (!row) throw new Error(`The reader ${userId} never existed`);
  return row.registered_at;
}

/** Returns the error for an input `id` that names no reader whom the caller may see. */
export const noSuchReader = (): UserError => new UserError('NOT_FOUND', 'There is no such reader.', ['input', 'id']);

/**
 * Returns the error for a suspended account, which its reader cannot use.
 * @param path the input field that the error is about
 */
export const accountSuspended = (path: readonly string[]) =>
  new UserError('ACCOUNT_SUSPENDED', 'This account is suspended. Ask the people who run the library why.', path);

/** Returns the reader who is logged in; null when signed out. */
export async function viewerOf(context: RequestContext): Promise<Account | null> {
  return context.viewerId === null ? null : accountById(context, context.viewerId);
}

/** Returns whether the caller is an administrator. */
export const isAdministrator = async (context: RequestContext): Promise<boolean> =>
  (await viewerOf(context))?.isAdministrator === true;

/**
 * Returns the id of the reader who is logged in, for operations that check themselves that the
 * account still exists.
 * @throws `UNAUTHENTICATED` when signed out
 */
export function requireSignedIn({ viewerId }: RequestContext): string {
  if (viewerId === null) throw unauthenticated('NO_TOKEN');
  return viewerId;
}

/**
 * Returns the reader who is logged in, for operations that only readers can use.
 * @throws `UNAUTHENTICATED` when signed out
 */
export async function requireViewer(context: RequestContext): Promise<Account> {
  const viewer = await viewerOf(context);
  if (!viewer) throw unauthenticated(context.viewerId === null ? 'NO_TOKEN' : 'SESSION_ENDED');
  return viewer;
}

/**
 * Refuses a reader who must verify their email before they change anything. It does not refuse a
 * caller who is signed out or whose account is deleted.
 * @throws {UserError} `EMAIL_NOT_VERIFIED`
 */
export async function requireVerified(context: RequestContext): Promise<void> {
  if (context.config.mail.emailVerification.isRequired) await requireVerifiedEmail(context);
}

/**
 * Refuses a reader who has not verified their email. It does not refuse a caller who is signed out
 * or whose account is deleted.
 * @throws {UserError} `EMAIL_NOT_VERIFIED`
 */
export async function requireVerifiedEmail(context: RequestContext): Promise<void> {
  const viewer = await viewerOf(context);
  if (!viewer || viewer.isEmailVerified) return;

  // The email may have just been verified, through another server or earlier in this request.
  const row = await first(context.cassandra, selectUserSerially, { user_id: viewer.id });
  userLoader(context).clear(viewer.id);
  if (row?.erased_at !== null || row.email_verified_at) return;
  const message =
    'Verify your email address first, with the mail that was sent to it. If you got none, ' +
    'ask for another one in your profile, or change the address there.';
  throw new UserError('EMAIL_NOT_VERIFIED', message, ['input']);
}

/**
 * Refuses readers who do not maintain the catalogue, for queries that only administrators may make.
 * @throws `UNAUTHENTICATED` when signed out, `FORBIDDEN` for any other reader
 */
export async function requireAdministratorForQuery(context: RequestContext): Promise<void> {
  await administratorOr(context, () => new RequestError('FORBIDDEN', 'Only administrators can ask for this.'));
}

/**
 * Returns the reader who is logged in, for operations that only administrators can use.
 * @throws `UNAUTHENTICATED` when signed out
 * @throws {UserError} `FORBIDDEN` for any other reader
 */
export const requireAdministrator = (context: RequestContext): Promise<Account> =>
  administratorOr(context, () => new UserError('FORBIDDEN', 'Only administrators can do this.', ['input']));

async function administratorOr(context: RequestContext, refusal: () => Error): Promise<Account> {
  const viewer = await requireViewer(context);
  if (viewer.isAdministrator) return viewer;

  context.logger.info({ userId: viewer.id }, 'a reader was refused an operation that only administrators can do');
  throw refusal();
}
