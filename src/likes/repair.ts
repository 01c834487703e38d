import pLimit from 'p-limit';
import { first, rows, write } from '../cassandra/statement.ts';
import { NOBODY, requestContext, type AppContext } from '../context.ts';
import { existingLikeable, likeableIdFrom, likeAuthority } from './operations.ts';
import { deleteItem, selectItem, selectLiker, walkLikesWithin, type LikeState } from './tables.ts';

/** Repairs of what an audit found. Each is safe beside callers, recovery, and other repairs of the same. */

/** Brings both lists up to what the authority says of a like. */
export async function repairLike(app: AppContext, userId: string, likeableId: string): Promise<void> {
  const context = requestContext(app, NOBODY);
  const { title } = await existingLikeable(context, likeableIdFrom(likeableId));
  await likeAuthority.repair(app, { userId, likeableId, title });
}

const LIKES_PER_PAGE = 200;
const LIKES_AT_ONCE = 16;

/**
 * Does something with each of a page of a reader's likes.
 * @param after the likeable_id behind which it begins, '' at first
 * @returns the last one, `undefined` when all are done
 */
export async function eachOfSomeLikes(
  { cassandra }: AppContext,
  userId: string,
  after: string,
  work: (likeableId: string, state: LikeState) => Promise<void>,
): Promise<string | undefined> {
  const slice = { user_id: userId, likeable_id: after, rows_max: LIKES_PER_PAGE };
  const page = await rows(cassandra, walkLikesWithin, slice);
  await pLimit(LIKES_AT_ONCE).map(page, ({ likeable_id, state }) => work(likeable_id, state));
  return page.length < LIKES_PER_PAGE ? undefined : page.at(-1)?.likeable_id;
}

/**
 * Writes a reader's name, as it is now, into a page of the lists of likers that it is in.
 * @returns where the page ended, `undefined` when all are done
 */
export const renameSomeLikes = (app: AppContext, userId: string, after: string) =>
  eachOfSomeLikes(app, userId, after, async (likeableId, { liked }) => {
    if (liked) await repairLike(app, userId, likeableId);
  });

/**
 * Removes a row of `item_by_user` whose moment the authority does not know. It cannot become right again: the moments of a
 * like only increase.
 */
export async function removeStaleItem(
  { cassandra }: AppContext,
  key: { user_id: string; year: number; liked_at: Date; likeable_id: string },
): Promise<void> {
  const row = await first(cassandra, selectItem, key);
  if (row) await write(cassandra, deleteItem, { ...key, version: row.written });
}

/** Removes a row of `user_by_item` whose moment the authority does not know, and counts it off. */
export async function removeStaleLiker(
  { cassandra, groupCommit }: AppContext,
  key: { likeable_id: string; shard: number; liked_at: Date; user_id: string },
): Promise<void> {
  const row = await first(cassandra, selectLiker, key);
  if (!row) return;
  const { likeable_id, shard, liked_at, user_id } = key;
  const version = row.version + 1;
  await groupCommit.apply(likeable_id, shard, {
    userId: user_id,
    fullName: '',
    liked: false,
    version,
    likedAt: liked_at,
  });
}
