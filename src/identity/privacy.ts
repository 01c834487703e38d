import { andThen, type Soon } from '../cassandra/soon.ts';
import type { RequestContext } from '../context/context.ts';
import type { Audience } from '../graphql/schema.generated.ts';
import { hiddenByViewer, readHidden, userLoader, type HiddenReaders } from './loaders.ts';
import { accountById, type Account } from './operations.ts';

/** Who may see what of a reader's. Whatever shows something of one reader to another asks here. */

/** What a reader decides about. */
export interface Privacy {
  readonly likes: Audience;
  readonly readings: Audience;
}

/** What a reader has decided; `undefined` for nobody. */
export async function privacyOf(context: RequestContext, userId: string): Promise<Privacy | undefined> {
  const row = await userLoader(context).load(userId);
  return row && { likes: row.likes_audience, readings: row.readings_audience };
}

/** Whether the caller is one of those who may see something of a reader's. */
export function isFor({ viewerId }: RequestContext, userId: string, audience: Audience): boolean {
  switch (audience) {
    case 'EVERYONE':
      return true;
    case 'SIGNED_IN':
      return viewerId !== null;
    case 'ONLY_ME':
      return viewerId === userId;
  }
}

/** Of whom somebody signed out sees nothing. */
const NOBODY: HiddenReaders = { has: () => false };

/**
 * The readers of whom the caller sees nothing, and who see nothing of the caller: one of the two blocks the other. It begins to
 * read them, once a request; so ask for it before you read what is to be shown, and of it when you have that.
 */
export function hiddenReaders(context: RequestContext): HiddenReaders {
  const { viewerId } = context;
  if (viewerId === null) return NOBODY;

  const known = hiddenByViewer(context);
  const hidden = known.get(viewerId) ?? readHidden(context, viewerId);
  known.set(viewerId, hidden);
  return hidden;
}

/** After a block what the request has read before is not to be believed. */
export const forgetHidden = (context: RequestContext): void => {
  hiddenByViewer(context).clear();
};

/** Whether the caller sees anything of a reader at all. */
export const sees = (context: RequestContext, userId: string): Soon<boolean> =>
  userId === context.viewerId || andThen(hiddenReaders(context).has(userId), (isHidden) => !isHidden);

/** A reader as the caller sees them; null for nobody, where the caller sees nothing of them, and while they are suspended. */
export async function shownReader(context: RequestContext, userId: string): Promise<Account | null> {
  const [account, isSeen] = await Promise.all([accountById(context, userId), sees(context, userId)]);
  const isSuspended = account?.isSuspended === true && userId !== context.viewerId;
  return isSeen && !isSuspended ? account : null;
}

/** Whether the caller may see what a reader likes, or has read; nobody sees anything of nobody. */
export async function isShown(context: RequestContext, userId: string, what: keyof Privacy): Promise<boolean> {
  const [privacy, reader] = await Promise.all([privacyOf(context, userId), shownReader(context, userId)]);
  return privacy !== undefined && reader !== null && isFor(context, userId, privacy[what]);
}
