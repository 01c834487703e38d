import type { Changed } from '../aggregates/decide.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { first } from '../cassandra/statement.ts';
import type { ListedBook } from '../catalogue/book.ts';
import { isInRow, listedBook, retitledBooks, type RetitledBooks } from '../catalogue/listed-books.ts';
import { existingAccount, requireSignedIn, type User } from '../identity/operations.ts';
import { shownLikers, type LikerConnection } from '../identity/shown-likers.ts';
import {
  connection,
  cursorIn,
  type CountedConnection,
  type Cursor,
  type List,
  type ListedNode,
  type PageArguments,
} from '../graphql/connections.ts';
import type { Config } from '../config/config.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { storedSubject, type NodeId } from '../graphql/ids.ts';
import type { LikeableKind, UserError as UserErrorData } from '../graphql/generated/schema-types.ts';
import { sealed } from '../graphql/sealed.ts';
import {
  countAfter,
  countBefore,
  countedInHour,
  groupCommit,
  placeFor,
  type CountsBefore,
  type ShardState,
} from '../member-sets/operations.ts';
import { talliesOf, tallyLoader, type Tally } from '../member-sets/tally.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { likes, type LikeKey } from './aggregate.ts';
import { noteLikes } from './also-liked.worker.ts';
import { isOfKind, likeableIdOf, likeableInput, likeableToLike, requireShown, type Likeable } from './likeables.ts';
import { shownCountLoader, viewerLikeLoader } from './loaders.ts';
import { likedItems, selectLikesAmong, yearsOfLikes, type LikedItem, type LikeState } from './tables.ts';

/** Liking, taking a like back, and the lists and counts that show likes. */

/** The answer to a like or unlike; only errors if nothing was done. */
export interface LikeAnswer {
  readonly likeable: Likeable | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  /** The like as the viewer's list of likes has it; null if they do not like it. */
  readonly likeEdge: LikeEdge | null;
  readonly userErrors: UserErrorData[];
}

export interface LikeTally extends Omit<Tally, 'histogram'> {
  readonly asOf: Date;
}

/** A like, seen from its reader. */
export interface LikeEdge {
  readonly cursor: Cursor;
  readonly likedAt: Date;
  /** The title in the list's own row; unset if it may be outdated, and for anything but a book. */
  readonly title: string | undefined;
  readonly node: ListedNode<ListedBook>;
}

/**
 * The viewer likes a book, a copy, a list or a review.
 * @returns `changed`: false when they liked it already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`; `RATE_LIMITED` when it was taken
 *   back too often
 */
export async function like(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const likeable = await likeableToLike(context, input.id);
  const key = { userId, likeableId: likeableIdOf(likeable) };

  const place = await placeFor(context, key.likeableId);
  // Most likes are the first of their reader and likeable, so no row is expected and no read is
  // needed.
  const done = await likes.change(context, key, undefined, (state, at) =>
    state?.liked
      ? undefined
      : {
          liked: true,
          liked_at: at,
          shard: place.shard,
          former_shard: null,
          ...countedLike(context.config, state, at),
        },
  );

  return answerOf(context, likeable, key, done, place);
}

/**
 * The viewer takes a like back, even one of a thing that they may not see any more.
 * @returns `changed`: false when they did not like it
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unlike(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const likeable = await likeableInput(context, input.id);
  const key = { userId, likeableId: likeableIdOf(likeable) };

  const [expected, before] = await Promise.all([likeBefore(context, key), countBefore(context, key.likeableId)]);
  if (!expected?.liked_at) await requireShown(context, likeable);
  if (expected?.liked) groupCommit(context).requireRoom(key.likeableId, expected.shard);
  const done = await likes.change(context, key, expected, (state) =>
    state?.liked ? { ...state, liked: false } : undefined,
  );

  return answerOf(context, likeable, key, done, before);
}

/**
 * Reads the state of a like that is probably there. A plain read costs less than half of a serial
 * one, and the condition of the change fails if it was too old. But only a serial read knows that
 * there is no like: then nothing is changed, so no condition fails.
 */
async function likeBefore(context: RequestContext, key: LikeKey): Promise<LikeState | undefined> {
  const { userId: user_id, likeableId } = key;
  const found = await first(context.cassandra, selectLikesAmong, { user_id, likeable_ids: [likeableId] });
  return found?.state.liked ? found.state : likes.read(context, key);
}

/**
 * Counts a reader's likes of a likeable in an hour.
 * @throws {UserError} `RATE_LIMITED`
 */
function countedLike(config: Config, state: LikeState | undefined, at: Date) {
  const former = { began: state?.hour_began, count: state?.hour_likes };
  const { began, count } = countedInHour(config, former, at, 'You liked this and took it back too often.');
  return { hour_began: began, hour_likes: count };
}

/**
 * Answers a change from the decided and committed state, independent of earlier reads of the
 * request.
 */
function answerOf(
  context: RequestContext,
  likeable: Likeable,
  { userId, likeableId }: LikeKey,
  { changed, before, state, result }: Changed<LikeState, ShardState>,
  counts: CountsBefore,
): Omit<LikeAnswer, 'userErrors'> {
  viewerLikeLoader(context).clear(likeableId);
  viewerLikeLoader(context).prime(likeableId, state);

  const shown = countAfter(counts, { before, state }, result);
  shownCountLoader(context).clear(likeableId);
  if (shown) shownCountLoader(context).prime(likeableId, shown);
  if (changed && likeable.type === 'Book') noteLikes(context, likeable.id, (shown ?? counts.counts)?.likeCount ?? 0);
  return { likeable, viewerId: userId, changed, likeEdge: likeEdgeOf(context, userId, likeable, state) };
}

/** Returns a like as a page of its reader's likes has it; null for one that was taken back. */
function likeEdgeOf(
  context: RequestContext,
  userId: string,
  likeable: Likeable,
  state: LikeState | undefined,
): LikeEdge | null {
  if (!state?.liked || !state.liked_at) return null;
  const book = likeable.type === 'Book' ? likeable : undefined;
  const list = { name: likesName(userId), cursor: likesCursor(context), positionOf: likedItems.positionOf };
  return {
    cursor: cursorIn(list, { liked_at: state.liked_at, likeable_id: likeableIdOf(likeable) }),
    likedAt: state.liked_at,
    title: book?.title,
    node: { type: likeable.type, key: likeable.id, known: book },
  };
}

/** The number of readers who like a likeable. */
export const likeCountOf = (context: RequestContext, likeable: Likeable): MaybePromise<number> =>
  andThen(shownCountLoader(context).load(likeableIdOf(likeable)), (counts) => counts?.likeCount ?? 0);

/** The number of readers who like a likeable, and whether it includes every answered like. */
export async function likeTallyOf(context: RequestContext, likeable: Likeable): Promise<LikeTally> {
  const asOf = context.clock();
  return tallyAsOf(context, await tallyLoader(context).load(likeableIdOf(likeable)), asOf);
}

/** @param asOf a moment before the tally was read */
const tallyAsOf = (app: AppContext, { count, isExact, version }: Tally, asOf: Date): LikeTally =>
  // A read sees every answered write only if this server is trusted.
  ({ count, isExact: isExact && whyUntrusted(app) === undefined, asOf, version });

/** Reads the tallies of some likeables by their likeable_id, at most 100, in their order. */
export async function likeTalliesOf(app: AppContext, likeableIds: readonly string[]): Promise<LikeTally[]> {
  const asOf = app.clock();
  return (await talliesOf(app, likeableIds)).map((tally) => tallyAsOf(app, tally, asOf));
}

/** Returns whether the viewer likes it; false if the caller is signed out. */
export const viewerHasLiked = (context: RequestContext, likeable: Likeable): MaybePromise<boolean> =>
  andThen(viewerLikedAt(context, likeable), (likedAt) => likedAt !== null);

/** The time at which the viewer liked it; null if they do not, or the caller is signed out. */
export const viewerLikedAt = (context: RequestContext, likeable: Likeable): MaybePromise<Date | null> =>
  andThen(viewerLikeLoader(context).load(likeableIdOf(likeable)), (like) => (like?.liked ? like.liked_at : null));

/**
 * The codec of cursors, made once because it costs as much as a row. Cursors are sealed because
 * they name copies and lists that the caller may not see.
 */
const likesCursor = perProcess(({ config }) => sealed(config, likedItems.cursor));

/** The name of a reader's list of likes, or of those of a kind. */
const likesName = (userId: string, of: LikeableKind | null = null) =>
  of ? `likes ${of} ${userId}` : `likes ${userId}`;

/**
 * Reads a page of a reader's likes, newest first.
 * @param of the kind of likeables to list, null for all. Likes of other kinds are read as well,
 *   within the query's budget
 * @param asked the requested fields of the nodes
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function likesOf(
  context: RequestContext,
  user: User,
  of: LikeableKind | null,
  args: PageArguments,
  asked: ReadonlySet<string>,
): Promise<CountedConnection<LikeEdge>> {
  const { registeredAt } = await existingAccount(context, user.id);
  const buckets = yearsOfLikes(registeredAt, context.clock());
  const items = likedItems.list(context.cassandra, { user_id: user.id }, { buckets });
  const list: List<ShownLike, LikePosition> = {
    ...items,
    name: likesName(user.id, of),
    descending: true,
    filter: of ? { keep: ({ node }) => isOfKind(context, node.type, of), rowsMin: FILTERED_ROWS_MIN } : undefined,
    cursor: likesCursor(context),
    positionOf: likedItems.positionOf,
    read: async (partitions, slice) => {
      const retitled = await retitledBooks(context);
      return (await items.read(partitions, slice)).map((row) => shownLike(row, retitled));
    },
  };
  const isKnown = isInRow(asked);
  return connection(args, list, ({ liked_at, node, book }, cursor) => ({
    cursor,
    likedAt: liked_at,
    title: book?.title,
    node: isKnown ? { ...node, known: book } : node,
  }));
}

type LikePosition = ReturnType<typeof likedItems.positionOf>;

/** A row of a reader's likes, with the liked thing. */
interface ShownLike extends LikePosition {
  readonly node: NodeId;
  /** The book from the row; unset if the row may be out of date, and for anything but a book. */
  readonly book: ListedBook | undefined;
}

function shownLike({ liked_at, likeable_id, title, authors }: LikedItem, retitled: RetitledBooks): ShownLike {
  const node = storedSubject(likeable_id);
  const isCurrent = node.type === 'Book' && !retitled.has(node.key);
  return { liked_at, likeable_id, node, book: isCurrent ? listedBook({ id: node.key, title, authors }) : undefined };
}

/**
 * Reads a page of the readers who like a likeable, newest like first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export const likersOf = (context: RequestContext, likeable: Likeable, args: PageArguments): Promise<LikerConnection> =>
  shownLikers(context, likeableIdOf(likeable), shownCountLoader(context), args);
