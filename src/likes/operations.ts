import { z } from 'zod';
import { existingAccount, type User } from '../identity/operations.ts';
import { HIGHEST_TEXT, type Slice } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import { connection, cursorMoment, type Connection, type PageArguments } from '../graphql/connections.ts';
import { type RequestContext } from '../context/context.ts';
import { type NodeId } from '../graphql/ids.ts';
import { SENTINEL, SHARD_BEGIN } from './group-commit.ts';
import {
  selectItemsAscending,
  selectItemsDescending,
  selectLikersAscending,
  selectLikersDescending,
} from './tables.ts';
import { likeCountLoader, viewerLikeLoader } from './loaders.ts';
import { likeableIdFrom, likeableIdOf, type Likeable } from './likeables.ts';

export interface LikeTally {
  readonly count: number;
  readonly isExact: boolean;
  readonly asOf: Date;
}

/** A like, seen from its reader. */
export interface LikeEdge {
  readonly cursor: string;
  readonly likedAt: Date;
  readonly title: string;
  readonly node: NodeId;
}

/** A like, seen from the thing. */
export interface LikerEdge {
  readonly cursor: string;
  readonly likedAt: Date;
  readonly node: User;
}

/** The newest and the oldest position in a list of likes; real ones lie between them. */
const NEWEST = {
  ...SHARD_BEGIN,
  likeable_id: HIGHEST_TEXT,
};
const OLDEST = { liked_at: SENTINEL.liked_at, user_id: NEWEST.user_id, likeable_id: '' };

/** How many readers like a thing. */
export async function likeCountOf(context: RequestContext, thing: Likeable): Promise<number> {
  return (await likeCountLoader(context).load(likeableIdOf(thing)))?.like_count ?? 0;
}

/** How many readers like a thing. Exact: a like is answered only after it is counted. */
export async function likeTallyOf(context: RequestContext, thing: Likeable): Promise<LikeTally> {
  const asOf = context.clock();
  likeCountLoader(context).clear(likeableIdOf(thing));
  return { count: await likeCountOf(context, thing), isExact: true, asOf };
}

/** When the viewer liked a thing; null when they do not, or are signed out. */
export async function viewerLikedAt(context: RequestContext, thing: Likeable): Promise<Date | null> {
  const row = await viewerLikeLoader(context).load(likeableIdOf(thing));
  return row?.state.liked ? row.state.liked_at : null;
}

/**
 * A page of what a reader likes, newest first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function likesOf(context: RequestContext, user: User, page: PageArguments): Promise<Connection<LikeEdge>> {
  const { registeredAt } = await existingAccount(context, user.id);
  const [firstYear, lastYear] = [registeredAt.getUTCFullYear(), context.clock().getUTCFullYear()];
  const list = {
    name: `likes ${user.id}`,
    descending: true,
    cursor: z.object({ liked_at: cursorMoment, likeable_id: z.string() }),
    partitions: Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index),
    partitionOf: ({ liked_at }: { liked_at: Date }) => liked_at.getUTCFullYear(),
    positionOf: ({ liked_at, likeable_id }: ItemPosition) => ({ liked_at, likeable_id }),
    read: (year: number, { descending, from, limit }: Slice<ItemPosition>) => {
      const { liked_at, likeable_id } = from ?? (descending ? NEWEST : OLDEST);
      const slice = { user_id: user.id, year, liked_at, likeable_id, rows_max: limit };
      return rows(context.cassandra, descending ? selectItemsDescending : selectItemsAscending, slice);
    },
  };
  return connection(page, list, ({ liked_at, likeable_id, title }, cursor) => ({
    cursor,
    likedAt: liked_at,
    title,
    node: likeableIdFrom(likeable_id),
  }));
}

interface ItemPosition {
  readonly liked_at: Date;
  readonly likeable_id: string;
}

/**
 * A page of the readers who like a thing, newest like first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function likersOf(
  context: RequestContext,
  thing: Likeable,
  page: PageArguments,
): Promise<Connection<LikerEdge>> {
  const likeableId = likeableIdOf(thing);
  const newestShard = (await likeCountLoader(context).load(likeableId))?.newest_shard ?? 0;
  const list = {
    name: `likers ${likeableId}`,
    descending: true,
    cursor: z.object({ shard: z.int(), liked_at: cursorMoment, user_id: z.uuid() }),
    partitions: Array.from({ length: newestShard + 1 }, (_, shard) => shard),
    partitionOf: ({ shard }: LikerPosition) => shard,
    positionOf: ({ shard, liked_at, user_id }: LikerPosition) => ({ shard, liked_at, user_id }),
    keep: ({ liked }: { liked: boolean }) => liked,
    read: (shard: number, { descending, from, limit }: Slice<LikerPosition>) => {
      const { liked_at, user_id } = from ?? (descending ? NEWEST : OLDEST);
      const slice = { likeable_id: likeableId, shard, liked_at, user_id, rows_max: limit };
      return descending
        ? rows(context.cassandra, selectLikersDescending, { ...slice, beginning: SENTINEL.liked_at })
        : rows(context.cassandra, selectLikersAscending, slice);
    },
  };
  return connection(page, list, ({ liked_at, user_id, full_name }, cursor) => ({
    cursor,
    likedAt: liked_at,
    node: { type: 'User', id: user_id, fullName: full_name },
  }));
}

interface LikerPosition {
  readonly shard: number;
  readonly liked_at: Date;
  readonly user_id: string;
}
