import { all, andThen, type Soon } from '../cassandra/soon.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { recentList } from '../cassandra/recent-list.ts';
import type { Cassandra } from '../cassandra/statement.ts';
import { existingAccount, type User } from '../identity/operations.ts';
import { hiddenReaders, isFor, sees } from '../identity/privacy.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import type { NodeId } from '../graphql/ids.ts';
import type { LikeableKind } from '../graphql/schema.generated.ts';
import { sealed } from '../graphql/sealed.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { readBlock } from './published.ts';
import { blockOf, generationOf, shardsOfBlock } from './shards.ts';
import { likers, likedItems } from './tables.ts';
import { hasChangedLately, recentPages, shownCountLoader, viewerLikeLoader } from './loaders.ts';
import { tallyLoader, type Tally } from './tally.ts';
import { likeableIdFrom, likeableIdOf, type Likeable } from './likeables.ts';

export interface LikeTally extends Tally {
  readonly asOf: Date;
}

/** A like, seen from its reader. */
export interface LikeEdge {
  readonly cursor: Cursor;
  readonly likedAt: Date;
  readonly title: string;
  readonly node: NodeId;
}

/** A like, seen from the likeable. */
export interface LikerEdge {
  readonly cursor: Cursor;
  readonly likedAt: Date;
  /** Null for whom it is not meant. */
  readonly node: User | null;
}

/** A page of the readers who like a likeable. */
export interface LikerConnection extends Connection<LikerEdge> {
  /** How many there are in all, by the counts that said where to read them. */
  readonly totalCount: number;
}

/** How many readers like a likeable. */
export const likeCountOf = (context: RequestContext, likeable: Likeable): Soon<number> =>
  andThen(shownCountLoader(context).load(likeableIdOf(likeable)), (counts) => counts?.likeCount ?? 0);

/** How many readers like a likeable, and whether every like that was answered before is counted. */
export async function likeTallyOf(context: RequestContext, likeable: Likeable): Promise<LikeTally> {
  const asOf = context.clock();
  const { count, isExact } = await tallyLoader(context).load(likeableIdOf(likeable));
  // What is read meets what was answered only where this server may be trusted.
  return { count, isExact: isExact && whyUntrusted(context) === undefined, asOf };
}

/** Whether the viewer likes it; nobody does who is signed out. */
export const viewerHasLiked = (context: RequestContext, likeable: Likeable): Soon<boolean> =>
  andThen(viewerLikedAt(context, likeable), (likedAt) => likedAt !== null);

/** When the viewer liked it; null when they do not, or are signed out. */
export const viewerLikedAt = (context: RequestContext, likeable: Likeable): Soon<Date | null> =>
  andThen(viewerLikeLoader(context).load(likeableIdOf(likeable)), (like) => (like?.liked ? like.liked_at : null));

/**
 * Cursors of both lists are sealed, because they name readers and copies that the caller may not see. The codecs are made
 * once, which costs as much as a row.
 */
const likersCursor = perProcess(({ config }) => sealed(config, likers.cursor));
const likesCursor = perProcess(({ config }) => sealed(config, likedItems.cursor));

/** What likeables of a kind are called. */
const TYPES = { BOOK: 'Book', ITEM: 'Item' } as const satisfies Record<LikeableKind, Likeable['type']>;

/**
 * A page of what a reader likes, newest first.
 * @param of only this kind, all where it is null: likes of the other one are read on the way, as far as the query's budget goes
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function likesOf(
  context: RequestContext,
  user: User,
  of: LikeableKind | null,
  page: PageArguments,
): Promise<Connection<LikeEdge>> {
  const { registeredAt } = await existingAccount(context, user.id);
  const [firstYear, lastYear] = [registeredAt.getUTCFullYear(), context.clock().getUTCFullYear()];
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const buckets = {
    column: 'year',
    values: years,
    of: ({ liked_at }: { liked_at: Date }) => liked_at.getUTCFullYear(),
  } as const;
  const ofKind = of && {
    keep: ({ likeable_id }: { likeable_id: string }) => likeableIdFrom(likeable_id).type === TYPES[of],
    rowsMin: FILTERED_ROWS_MIN,
  };
  const listOf = (cassandra: Cassandra) => likedItems.list(cassandra, { user_id: user.id }, { buckets });
  const recent = recentList(context.cassandra, listOf, {
    pages: recentPages(context),
    nameOf: (some) => `likes ${user.id} ${some.join()}`,
    // One's own are read.
    isOwnChange: () => user.id === context.viewerId,
  });
  const list = {
    name: of ? `likes ${of} ${user.id}` : `likes ${user.id}`,
    descending: true,
    filter: ofKind ?? undefined,
    ...recent,
    cursor: likesCursor(context),
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
): Promise<LikerConnection> {
  const likeableId = likeableIdOf(likeable);
  // Read at once with the page.
  hiddenReaders(context);
  // A shard without likes is not read: it has nothing to show, and may have much that was deleted.
  const {
    likeCount: totalCount = 0,
    shards = [],
    sums = [],
  } = (await shownCountLoader(context).load(likeableId)) ?? {};
  const generations = Map.groupBy(shards, generationOf);
  for (const shard of sums.flatMap(shardsOfBlock)) generations.set(generationOf(shard), []);
  // Of a block that is summed up, which shards have likes is found out once a page comes to it.
  const looks = new Map<number, Promise<void>>();
  const lookInto = async (block: number) => {
    if (!sums.includes(block)) return;
    const look = async () => {
      const { shards: withLikes } = await readBlock(context.cassandra, likeableId, block);
      for (const [generation, ofIt] of Map.groupBy(withLikes, generationOf)) generations.set(generation, ofIt);
    };
    const looking = looks.get(block) ?? look();
    looks.set(block, looking);
    await looking;
  };
  const buckets = {
    column: 'shard',
    values: [...generations.keys()],
    of: ({ shard }: { shard: number }) => generationOf(shard),
  } as const;
  const sides = { column: 'shard', of: (generation: number) => generations.get(generation) ?? [] } as const;
  const listOf = (cassandra: Cassandra) =>
    likers.list(cassandra, { likeable_id: likeableId, liked: true }, { buckets, sides });
  const found = recentList(context.cassandra, listOf, {
    pages: recentPages(context),
    nameOf: (some) => `likers ${likeableId} ${some.flatMap(sides.of).join()}`,
    isOwnChange: () => hasChangedLately(context, likeableId),
  });
  const list = {
    ...found,
    read: async (some: readonly number[], slice: Parameters<typeof found.read>[1]) => {
      await Promise.all([...new Set(some.map(blockOf))].map(lookInto));
      return found.read(some, slice);
    },
    cursor: likersCursor(context),
    /**
     * What was moved out of a shard has gone to another one of its generation, or to a newer one. Of a like of the same millisecond that
     * was in the newer one before, it cannot be told any more that it came first.
     */
    locate: async (position: Parameters<typeof found.partitionOf>[0]) => {
      const newer = [...generations.keys()].filter((generation) => generation >= generationOf(position.shard));
      for (const generation of newer.toSorted((one, other) => one - other)) {
        await lookInto(blockOf(generation));
        const ofIt = generations.get(generation) ?? [];
        if (ofIt.length > 0)
          return ofIt.includes(position.shard) ? position : { ...position, shard: Math.min(...ofIt) };
      }
      return position;
    },
    name: `likers ${likeableId}`,
    descending: true,
  };
  const { edges, pageInfo } = await connection(page, list, ({ liked_at, user_id, full_name, audience }, cursor) => {
    const liker: User = { type: 'User', id: user_id, fullName: full_name };
    return { cursor, likedAt: liked_at, node: isFor(context, user_id, audience) ? liker : null };
  });
  const isSeen = await all(edges.map(({ node }) => node !== null && sees(context, node.id)));
  return { edges: edges.map((edge, index) => (isSeen[index] ? edge : { ...edge, node: null })), pageInfo, totalCount };
}
