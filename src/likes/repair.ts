import pLimit from 'p-limit';
import { z } from 'zod';
import { first, page, write } from '../cassandra/statement.ts';
import { jsonMoment } from '../cassandra/orders.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import { copiesCalledAsTheirBook } from '../market/aggregate.ts';
import { groupCommit } from './group-commit.ts';
import { likes } from './aggregate.ts';
import type { Likeable } from './likeables.ts';
import { likeCounts } from './loaders.ts';
import { shardsOfBlock } from './shards.ts';
import {
  likedItems,
  likers,
  selectItem,
  selectLiker,
  selectLikes,
  type ItemKey,
  type LikerKey,
  type LikeState,
} from './tables.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';

/** Repairs of what an audit found. Each is safe beside callers, recovery, and other repairs of the same. */

/** Brings both lists up to what the source of truth says of a like. */
export async function repairLike(app: AppContext, userId: string, likeableId: string): Promise<void> {
  await likes.repair(app, { userId, likeableId });
}

const LIKES_PER_PAGE = 200;
const LIKES_AT_ONCE = 16;

/**
 * Does something with each of a page of a reader's likes.
 * @param after where the page before it ended, '' at first
 * @returns where this one ended, `undefined` when all are done
 */
export async function eachOfSomeLikes(
  { cassandra }: AppContext,
  userId: string,
  after: string,
  work: (likeableId: string, state: LikeState) => Promise<void>,
): Promise<string | undefined> {
  const some = await page(cassandra, selectLikes, { user_id: userId }, after);
  await pLimit(LIKES_AT_ONCE).map(some.rows, ({ likeable_id, state }) => work(likeable_id, state));
  return some.pageState;
}

/**
 * Writes what an account says of its reader, as it is now, into a page of the lists of likers that they are in.
 * @returns where the page ended, `undefined` when all are done
 */
export const projectSomeLikes = (app: AppContext, userId: string, after: string) =>
  eachOfSomeLikes(app, userId, after, async (likeableId, { liked }) => {
    if (liked) await repairLike(app, userId, likeableId);
  });

/** Behind a liker. */
const likerPosition = z.strictObject({ shard: z.int(), liked_at: jsonMoment, user_id: z.uuid() });
type LikerPosition = z.output<typeof likerPosition>;

const FIRST_LIKER: LikerPosition = { shard: 0, liked_at: new Date(0), user_id: LOWEST_UUID };

/**
 * Repairs a page of the likes of a likeable, which are given its title as it is now.
 * @returns where the page ended, `undefined` when all are done
 */
async function repairSomeLikes(
  app: AppContext,
  likeable: NodeId,
  { shard, ...from }: LikerPosition,
): Promise<LikerPosition | undefined> {
  const likeable_id = subjectOf(likeable);
  const slice = { descending: false, from: { shard, ...from }, limit: LIKES_PER_PAGE };
  const page = await likers.read(app.cassandra, { likeable_id, shard, liked: true }, slice);
  await pLimit(LIKES_AT_ONCE).map(page, ({ user_id }) => repairLike(app, user_id, likeable_id));

  const last = page.at(-1);
  if (last && page.length === LIKES_PER_PAGE) return { shard, liked_at: last.liked_at, user_id: last.user_id };
  // A like that is not counted yet reads the title later.
  const { shards = [], sums = [] } = (await likeCounts(app).load(likeable_id)) ?? {};
  const behind = [...shards, ...sums.flatMap(shardsOfBlock)].filter((each) => each > shard);
  return behind.length > 0 ? { ...FIRST_LIKER, shard: Math.min(...behind) } : undefined;
}

/** Makes the handler that writes the title of a book or copy, as it is now, into a page of its likes. */
export const retitleSomeLikesOf =
  (type: Likeable['type']): JobHandler =>
  async (app, key, after) => {
    const position = after === '' ? FIRST_LIKER : likerPosition.parse(JSON.parse(after));
    const next = await repairSomeLikes(app, { type, key }, position);
    return next && JSON.stringify(next);
  };

/** At the copy behind a position among all of a book's; unset `likes`: it is not begun yet. */
const copyPosition = z.strictObject({ copy: z.string(), likes: likerPosition.optional() });

/**
 * Writes a book's title, as it is now, into a page of the likes of a copy that is called so, for sale or not.
 * @returns where the page ended, `undefined` when all are done
 */
export async function retitleSomeLikesOfCopies(
  app: AppContext,
  bookId: string,
  after: string,
): Promise<string | undefined> {
  const { copy, likes = FIRST_LIKER } = after === '' ? { copy: '' } : copyPosition.parse(JSON.parse(after));
  const { copies, next } = await copiesCalledAsTheirBook(app, bookId, copy, 1);
  const [found] = copies;

  const behind = found && (await repairSomeLikes(app, { type: 'Item', key: found.itemId }, likes));
  if (behind) return JSON.stringify({ copy, likes: behind });
  return next && JSON.stringify({ copy: next });
}

/**
 * Removes a row of `item_by_user` whose moment the source of truth does not know. It cannot become right again: the moments of a
 * like only increase.
 */
export async function removeStaleItem({ cassandra }: AppContext, key: ItemKey): Promise<void> {
  const row = await first(cassandra, selectItem, key);
  if (row) await write(cassandra, likedItems.delete, { ...key, version: row.written });
}

/** Removes a row of `user_by_item` whose moment the source of truth does not know, and counts it off. */
export async function removeStaleLiker(app: AppContext, key: LikerKey): Promise<void> {
  const row = await first(app.cassandra, selectLiker, key);
  if (!row) return;
  const { likeable_id, shard, liked_at, user_id } = key;
  const takenBack = { userId: user_id, version: row.version + 1, likedAt: liked_at, shown: undefined };
  await groupCommit(app).apply(likeable_id, shard, takenBack);
}
