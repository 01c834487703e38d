import type { Changed } from '../aggregates/aggregate.ts';
import { all, andThen, type Soon } from '../cassandra/soon.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { recentList } from '../cassandra/recent-list.ts';
import type { Cassandra } from '../cassandra/statement.ts';
import { existingAccount, requireSignedIn, type User } from '../identity/operations.ts';
import { hiddenReaders, isFor, sees } from '../identity/privacy.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { RateLimitedError, UserError } from '../graphql/errors.ts';
import type { NodeId } from '../graphql/ids.ts';
import type { LikeableKind, UserError as UserErrorData } from '../graphql/schema.generated.ts';
import { sealed } from '../graphql/sealed.ts';
import { HOUR_MS } from '../time/units.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { likes, UNCOUNTED, type LikeKey } from './aggregate.ts';
import { groupCommit } from './group-commit.ts';
import type { LikeCounts } from './like-counts.ts';
import {
  hasChangedLately,
  noCounts,
  recentCounts,
  recentPages,
  shownCountLoader,
  viewerLikeLoader,
} from './loaders.ts';
import {
  isLikeableShown,
  likeableIdFrom,
  likeableIdOf,
  likeableInput,
  nothingHasThisId,
  type Likeable,
} from './likeables.ts';
import { readBlock } from './published.ts';
import { blockOf, generationOf, shardsOfBlock } from './shards.ts';
import { stripes } from './stripes.ts';
import { likers, likedItems, type LikeState } from './tables.ts';
import { tallyLoader, type Tally } from './tally.ts';
import { beginUpkeep } from './upkeep.ts';

/** The verbs: how a like comes about and is taken back, and the lists and counts that show it. */

/** Counts of a thing that is being liked are as old at most before the next like: about as long as a commit takes that nobody is in the way of. */
const BUSY_AGE_MAX_MS = 20;

/** The parts of the answer to a like or unlike; only errors if nothing was done. */
export interface LikeAnswer {
  readonly likeable: Likeable | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  readonly userErrors: UserErrorData[];
}

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

/**
 * The viewer likes a book or a copy.
 * @returns `changed`: false when they liked it already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`; `RATE_LIMITED` when it was taken back too often
 */
export async function like(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const likeable = await likeableInput(context, input.id);
  if (!(await isLikeableShown(context, likeable))) throw nothingHasThisId();
  const gone = whyGone(likeable);
  if (gone !== undefined) throw new UserError('NOT_FOUND', gone, ['input', 'id']);
  const key = { userId, likeableId: likeableIdOf(likeable) };

  // Which shard is open may be known from a moment ago: one that is closed takes a like as well.
  const recent = recentCounts(context);
  const kept = recent.kept(key.likeableId);
  let { row: counts } = await (kept ?? recent.read(key.likeableId));
  let shard = stripes(context).openShard(counts);
  // Where a commit is under way another server may be in its way, and have opened stripes.
  if (kept && groupCommit(context).isBusy(key.likeableId, shard)) {
    ({ row: counts } = await (recent.kept(key.likeableId, BUSY_AGE_MAX_MS) ?? recent.read(key.likeableId)));
    shard = stripes(context).openShard(counts);
  }
  groupCommit(context).mustHaveRoom(key.likeableId, shard);
  if (!counts) groupCommit(context).expectAbsent(key.likeableId, shard);
  beginUpkeep(context, counts);
  // Most likes are the first of their reader and likeable: no row is expected, and none is read.
  const done = await likes.change(context, key, undefined, (state, at) =>
    state?.liked
      ? undefined
      : { liked: true, liked_at: at, shard, former_shard: null, ...countedLike(context, state, at) },
  );

  // Where it is not their first change of it, a count of a moment ago may lack the one before.
  return answerOf(context, likeable, key, done, kept && done.before ? 'OLD' : counts);
}

/**
 * The viewer takes a like back.
 * @returns `changed`: false when they did not like it
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unlike(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const likeable = await likeableInput(context, input.id);
  const key = { userId, likeableId: likeableIdOf(likeable) };

  const [expected, { row: counts }] = await Promise.all([
    likes.read(context, key),
    recentCounts(context).read(key.likeableId),
  ]);
  beginUpkeep(context, counts);
  if (expected?.liked) groupCommit(context).mustHaveRoom(key.likeableId, expected.shard);
  const done = await likes.change(context, key, expected, (state) =>
    state?.liked ? { ...state, liked: false } : undefined,
  );

  return answerOf(context, likeable, key, done, counts);
}

/**
 * Counts a like of an hour: each that is taken back leaves its trace in the shard, so nobody does it without end.
 * An unlike is not refused, as it follows a like.
 * @throws {UserError} `RATE_LIMITED`
 */
function countedLike({ config }: AppContext, state: LikeState | undefined, at: Date) {
  const { hour_began: began, hour_likes } = state ?? UNCOUNTED;
  if (!began || at.getTime() - began.getTime() >= HOUR_MS) return { hour_began: at, hour_likes: 1 };

  // Half of the changes are likes.
  const isTooOften = config.likeChangesPerHour > 0 && 2 * hour_likes >= config.likeChangesPerHour;
  if (isTooOften) {
    const seconds = Math.ceil((began.getTime() + HOUR_MS - at.getTime()) / 1_000);
    throw new RateLimitedError('You liked this and took it back too often.', seconds);
  }
  return { hour_began: began, hour_likes: hour_likes + 1 };
}

/**
 * The answer to a change shows what was decided and committed, whatever the request had read before it.
 * @param counts as they were before the change; 'OLD' where they are not known well enough
 */
function answerOf(
  context: RequestContext,
  likeable: Likeable,
  { userId, likeableId }: LikeKey,
  { changed, state }: Changed<LikeState>,
  counts: LikeCounts | undefined | 'OLD',
) {
  viewerLikeLoader(context).clear(likeableId);
  viewerLikeLoader(context).prime(likeableId, state);
  shownCountLoader(context).clear(likeableId);
  const shown = counts === 'OLD' ? undefined : countsWith(context, likeableId, state, counts);
  if (shown) shownCountLoader(context).prime(likeableId, shown);
  return { likeable, viewerId: userId, changed };
}

/** Counts with what the shard of a like said when the like was brought into it; `undefined` where that is not enough. */
function countsWith(
  app: AppContext,
  likeableId: string,
  state: LikeState | undefined,
  before: LikeCounts = noCounts(app, likeableId),
): LikeCounts | undefined {
  if (!state?.liked_at) return before;
  const said = groupCommit(app).saidOf(likeableId, state.shard);
  const isInSum = said?.summed === true || before.sums.includes(blockOf(state.shard));
  return said && state.former_shard === null && !isInSum ? before.with(state.shard, said.likeCount) : undefined;
}

/** Why a likeable cannot be liked any more; a like of before stays, and can be taken back. */
function whyGone(likeable: Likeable): string | undefined {
  if (likeable.type === 'Item') {
    return likeable.status === 'FOR_SALE' ? undefined : 'This copy is not for sale any more and cannot be liked.';
  }
  return likeable.isRemoved ? 'This book was removed from the catalogue and cannot be liked any more.' : undefined;
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
