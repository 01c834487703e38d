import { existingAccount, type User } from '../identity/operations.ts';
import { isFor } from '../identity/privacy.ts';
import { connection, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import type { NodeId } from '../graphql/ids.ts';
import { sealed } from '../graphql/sealed.ts';
import { SENTINEL } from './group-commit.ts';
import { likers, likedItems } from './tables.ts';
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

/** A like, seen from the likeable. */
export interface LikerEdge {
  readonly cursor: string;
  readonly likedAt: Date;
  /** Null for whom it is not meant. */
  readonly node: User | null;
}

/** Above the row that every shard has at the zero moment. */
const FIRST_LIKE = new Date(SENTINEL.liked_at.getTime() + 1);

/** How many readers like a likeable. */
export async function likeCountOf(context: RequestContext, likeable: Likeable): Promise<number> {
  return (await likeCountLoader(context).load(likeableIdOf(likeable)))?.like_count ?? 0;
}

/** How many readers like a likeable. Exact: a like is answered only after it is counted. */
export async function likeTallyOf(context: RequestContext, likeable: Likeable): Promise<LikeTally> {
  const asOf = context.clock();
  likeCountLoader(context).clear(likeableIdOf(likeable));
  return { count: await likeCountOf(context, likeable), isExact: true, asOf };
}

/** When the viewer liked it; null when they do not, or are signed out. */
export async function viewerLikedAt(context: RequestContext, likeable: Likeable): Promise<Date | null> {
  const row = await viewerLikeLoader(context).load(likeableIdOf(likeable));
  return row?.state.liked ? row.state.liked_at : null;
}

/**
 * A page of what a reader likes, newest first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function likesOf(context: RequestContext, user: User, page: PageArguments): Promise<Connection<LikeEdge>> {
  const { registeredAt } = await existingAccount(context, user.id);
  const [firstYear, lastYear] = [registeredAt.getUTCFullYear(), context.clock().getUTCFullYear()];
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const buckets = {
    column: 'year',
    values: years,
    of: ({ liked_at }: { liked_at: Date }) => liked_at.getUTCFullYear(),
  } as const;
  const list = {
    name: `likes ${user.id}`,
    descending: true,
    ...likedItems.list(context.cassandra, { user_id: user.id }, { buckets }),
  };
  return connection(page, list, ({ liked_at, likeable_id, title }, cursor) => ({
    cursor,
    likedAt: liked_at,
    title,
    node: likeableIdFrom(likeable_id),
  }));
}

/**
 * A page of the readers who like a likeable, newest like first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function likersOf(
  context: RequestContext,
  likeable: Likeable,
  page: PageArguments,
): Promise<Connection<LikerEdge>> {
  const likeableId = likeableIdOf(likeable);
  const newestShard = (await likeCountLoader(context).load(likeableId))?.newest_shard ?? 0;
  const shards = Array.from({ length: newestShard + 1 }, (_, shard) => shard);
  const buckets = { column: 'shard', values: shards, of: ({ shard }: { shard: number }) => shard } as const;
  const found = likers.list(context.cassandra, { likeable_id: likeableId }, { within: { from: FIRST_LIKE }, buckets });
  const list = {
    ...found,
    // Readers may hide that they like something, so that no id is in clear.
    cursor: sealed(context.config, found.cursor),
    name: `likers ${likeableId}`,
    descending: true,
    filter: { keep: ({ liked }: { liked: boolean }) => liked, rowsMin: 0 },
  };
  return connection(page, list, ({ liked_at, user_id, full_name, audience }, cursor) => ({
    cursor,
    likedAt: liked_at,
    node: isFor(context, user_id, audience) ? { type: 'User', id: user_id, fullName: full_name } : null,
  }));
}
