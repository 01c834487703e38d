import type { RequestContext } from '../context/context.ts';
import type { Audience } from '../graphql/schema.generated.ts';
import { userLoader } from './loaders.ts';

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

/** Whether the caller may see what a reader likes, or has read; nobody sees anything of nobody. */
export async function isShown(context: RequestContext, userId: string, what: keyof Privacy): Promise<boolean> {
  const privacy = await privacyOf(context, userId);
  return privacy !== undefined && isFor(context, userId, privacy[what]);
}
