import { all, andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { uuidOf } from '../graphql/ids.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import { seeAsFollower, viewerFollows } from './following.ts';
import { followOnly } from './kept-following.ts';
import { hiddenByViewer, isHidden, readHidden, userLoader, type HiddenReaders } from './loaders.ts';
import { accountById, type Account, type User } from './operations.ts';
import { selectHiddenAmong, type UserRow } from './tables.ts';

export type { HiddenReaders } from './loaders.ts';

/**
 * The rules for who may see which data of a reader. All code that shows data of one reader to
 * another uses these rules.
 */

/** The audiences that a reader sets. */
interface Audiences {
  readonly likes: Audience;
  readonly readings: Audience;
}

/** The choices of a reader. */
export interface Privacy extends Audiences {
  readonly takesMessages: boolean;
  readonly approvesFollowers: boolean;
}

/** Returns what a reader has chosen; `undefined` if there is no such reader. */
export async function privacyOf(context: RequestContext, userId: string): Promise<Privacy | undefined> {
  const row = await userLoader(context).load(userId);
  return (
    row && {
      likes: row.likes_audience,
      readings: row.readings_audience,
      takesMessages: !row.messages_refused,
      approvesFollowers: row.approves_followers === true,
    }
  );
}

/** Returns true if the caller belongs to the audience of a reader's data. */
export function isFor(context: RequestContext, userId: string, audience: Audience): MaybePromise<boolean> {
  const { viewerId } = context;
  switch (audience) {
    case 'EVERYONE':
      return true;
    case 'SIGNED_IN':
      return viewerId !== null;
    case 'FOLLOWERS':
      return viewerId === userId || viewerFollows(context, userId);
    case 'ONLY_ME':
      return viewerId === userId;
  }
}

/** No reader is hidden from a caller who is signed out. */
const NOBODY: HiddenReaders = { has: () => false, first: () => [] };

/**
 * Returns the readers who are hidden from the caller, and the caller from them, because one of the
 * two blocks the other. It begins to read them, once per request. Call it before reading the data
 * to be shown, and use the result after that.
 */
export function hiddenReaders(context: RequestContext): HiddenReaders {
  const { viewerId } = context;
  if (viewerId === null) return NOBODY;

  const known = hiddenByViewer(context);
  const hidden = known.get(viewerId) ?? readHidden(context, viewerId);
  known.set(viewerId, hidden);
  return hidden;
}

/** Returns whether two readers are hidden from each other, by a read of its own. */
export const areHiddenNow = async (app: AppContext, one: string, other: string): Promise<boolean> =>
  (await hiddenAmongNow(app, one, [other])).has(other);

/** Returns those of some readers who are hidden from a reader, by reads of its own. */
export async function hiddenAmongNow(
  { cassandra }: AppContext,
  user_id: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const parts = keysInParts(others).map((other_ids) => rows(cassandra, selectHiddenAmong, { user_id, other_ids }));
  const hidden = (await Promise.all(parts)).flat().filter(isHidden);
  return new Set(hidden.map(({ other_id }) => other_id));
}

/** Forgets the hidden readers that the request has read, because a block has changed them. */
export const forgetHidden = (context: RequestContext): void => {
  hiddenByViewer(context).clear();
};

/** A signed-in reader who has made nothing, and whom no reader knows. */
const STRANGER = uuidOf('a stranger');

/**
 * Lets a request see from now on only what others of an audience see. Readers who are hidden from
 * the caller stay hidden, so the caller sees nothing in addition.
 * @param userId the caller, whose data the audience sees
 */
export function seeAs(context: RequestContext, userId: string, audience: Audience): void {
  switch (audience) {
    case 'EVERYONE':
      context.viewerId = null;
      break;
    case 'SIGNED_IN':
      becomeStranger(context);
      break;
    case 'FOLLOWERS':
      becomeStranger(context);
      seeAsFollower(context, userId, STRANGER);
      followOnly(context, STRANGER, userId);
      break;
    case 'ONLY_ME':
      return;
  }
  context.sessionId = null;
}

/** Lets a request see what a stranger sees, except for readers who are hidden from the caller. */
function becomeStranger(context: RequestContext): void {
  hiddenByViewer(context).set(STRANGER, hiddenReaders(context));
  context.viewerId = STRANGER;
}

/** Returns whether the caller sees anything of a reader at all. */
export const canSeeReader = (context: RequestContext, userId: string): MaybePromise<boolean> =>
  userId === context.viewerId || andThen(hiddenReaders(context).has(userId), (isHidden) => !isHidden);

/**
 * Returns a reader as the caller sees them; null if there is no such reader or the two are hidden
 * from each other. A suspended reader is null for everybody but themselves.
 */
export async function shownReader(context: RequestContext, userId: string): Promise<Account | null> {
  const [account, isSeen] = await Promise.all([accountById(context, userId), canSeeReader(context, userId)]);
  const isSuspended = account?.isSuspended === true && userId !== context.viewerId;
  return isSeen && !isSuspended ? account : null;
}

/** Resolves a field of a reader that only they themselves see; null for everybody else. */
export const onlyForSelf =
  <Args, Result>(read: (context: RequestContext, userId: string, args: Args) => Result) =>
  (user: User, args: Args, context: RequestContext): Result | null =>
    user.id === context.viewerId ? read(context, user.id, args) : null;

/**
 * Loads the row of a reader. It is `undefined` if they are gone, and for all others if they are
 * suspended. Whether the two are hidden from each other is another question.
 */
const rowOfReader = (context: RequestContext, userId: string): MaybePromise<UserRow | undefined> =>
  andThen(userLoader(context).load(userId), (row) =>
    row && !row.erased_at && (!row.suspended || userId === context.viewerId) ? row : undefined,
  );

/**
 * Returns which data of a reader the caller may see; null if the caller does not see the reader.
 */
export function shownDataOf(
  context: RequestContext,
  userId: string,
): MaybePromise<Readonly<Record<keyof Audiences, boolean>> | null> {
  const isSeen = canSeeReader(context, userId);
  return andThen(rowOfReader(context, userId), (row) =>
    andThen(isSeen, (isSeenNow) => {
      if (!row || !isSeenNow) return null;
      const shown = all([isFor(context, userId, row.likes_audience), isFor(context, userId, row.readings_audience)]);
      return andThen(shown, ([likes = false, readings = false]) => ({ likes, readings }));
    }),
  );
}

/**
 * Returns whether the caller may see a reader's likes or readings; false if the caller does not see
 * the reader.
 */
export const isShown = async (context: RequestContext, userId: string, what: keyof Audiences): Promise<boolean> =>
  (await shownDataOf(context, userId))?.[what] ?? false;

/**
 * Returns those among some readers whose likes or readings the caller may see, by their ids. Those
 * whom the caller does not see are missing.
 */
export async function readersWhoShow(
  context: RequestContext,
  what: keyof Audiences,
  userIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, User>> {
  const hidden = hiddenReaders(context);
  const shown = [...userIds].map((userId) =>
    andThen(rowOfReader(context, userId), (row): MaybePromise<User | null> => {
      if (!row) return null;
      const reader: User = { type: 'User', id: userId, fullName: row.full_name };
      return andThen(isFor(context, userId, row[`${what}_audience`]), (isForCaller) =>
        isForCaller ? andThen(hidden.has(userId), (isHidden) => (isHidden ? null : reader)) : null,
      );
    }),
  );
  return new Map((await all(shown)).flatMap((reader) => (reader ? [[reader.id, reader] as const] : [])));
}
