import { first } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { unauthenticated, UserError } from '../graphql/errors.ts';
import { userLoader } from './loaders.ts';
import { selectUsers } from './tables.ts';

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
  readonly registeredAt: Date;
  /** Whether they keep the catalogue. */
  readonly isAdministrator: boolean;
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
  registered_at: Date;
  role: string | null;
}): Account => ({
  type: 'User',
  id: row.user_id,
  fullName: row.full_name,
  email: row.email,
  registeredAt: row.registered_at,
  isAdministrator: row.role === 'ADMINISTRATOR',
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

/** A reader's name as it is now, whatever a request has read before; `undefined` when their account is deleted. */
export async function accountNow(
  { cassandra }: AppContext,
  userId: string,
): Promise<{ readonly fullName: string } | undefined> {
  const row = await first(cassandra, selectUsers, { user_ids: [userId] });
  return row?.erased_at === null ? { fullName: row.full_name } : undefined;
}

/**
 * When a reader registered, whether or not their account is deleted.
 * @throws Error when there never was one
 */
export async function registeredAtOf({ cassandra }: AppContext, userId: string): Promise<Date> {
  const row = await first(cassandra, selectUsers, { user_ids: [userId] });
  if (!row) throw new Error(`The reader ${userId} never existed`);
  return row.registered_at;
}

/** The reader who is logged in; null when signed out. */
export async function viewerOf(context: RequestContext): Promise<Account | null> {
  return context.viewerId === null ? null : accountById(context, context.viewerId);
}

/**
 * The id of the reader who is logged in, for what finds out by itself whether their account is still there.
 * @throws `UNAUTHENTICATED` when signed out
 */
export function requireSignedIn({ viewerId }: RequestContext): string {
  if (viewerId === null) throw unauthenticated();
  return viewerId;
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

/** Whether an administrator is asking, for queries that give everybody else null. */
export async function isAdministrator(context: RequestContext): Promise<boolean> {
  return (await viewerOf(context))?.isAdministrator ?? false;
}

/**
 * The reader who is logged in, for what only those who keep the catalogue can do.
 * @throws `UNAUTHENTICATED` when signed out
 * @throws {UserError} `FORBIDDEN` for any other reader
 */
export async function requireAdministrator(context: RequestContext): Promise<Account> {
  const viewer = await requireViewer(context);
  if (!viewer.isAdministrator) throw new UserError('FORBIDDEN', 'Only administrators can do this.', ['input']);
  return viewer;
}
