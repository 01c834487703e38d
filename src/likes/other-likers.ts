import { all, type MaybePromise } from '../cassandra/maybe-promise.ts';
import type { RequestContext } from '../context/context.ts';
import type { User } from '../identity/operations.ts';
import { isFor } from '../identity/privacy.ts';
import { otherLikersLoader, type OtherLikers } from './loaders.ts';

/** The readers who like a thing of the viewer, as its owner is told of them. */

export type { OtherLikers } from './loaders.ts';

/**
 * Returns the likers of a thing without the viewer and the readers hidden from them; `undefined` if
 * there are none. Readers who show their likes to nobody count, as in `likeCount`.
 */
export const otherLikersOf = (context: RequestContext, likeableId: string): MaybePromise<OtherLikers | undefined> =>
  otherLikersLoader(context).load(likeableId);

/** Returns the newest of some likers whose likes the caller may see. */
export async function shownOf(context: RequestContext, { newest }: OtherLikers, limit: number): Promise<User[]> {
  const isShown = await all(newest.map(({ user_id, audience }) => isFor(context, user_id, audience)));
  return newest
    .filter((_row, index) => isShown[index])
    .slice(0, limit)
    .map(({ user_id, full_name }) => ({ type: 'User', id: user_id, fullName: full_name }));
}
