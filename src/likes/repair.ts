import { existingAccount } from '../accounts/operations.ts';
import { first, write } from '../cassandra/statement.ts';
import { requestContext, type AppContext } from '../context.ts';
import { existingLikeable, likeableIdFrom, likeAuthority } from './operations.ts';
import { deleteItem, selectItem, selectLiker } from './tables.ts';

/** Repairs of what an audit found. Each is safe beside callers, recovery, and other repairs of the same. */

/** Brings both lists up to what the authority says of a like. */
export async function repairLike(app: AppContext, userId: string, likeableId: string): Promise<void> {
  const context = requestContext(app, null);
  const [{ fullName }, { title }] = await Promise.all([
    existingAccount(context, userId),
    existingLikeable(context, likeableIdFrom(likeableId)),
  ]);
  await likeAuthority.repair(app, { userId, fullName, likeableId, title });
}

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
