import { z } from 'zod';
import { accountNow, existingAccount, requireSignedIn, type User } from '../identity/operations.ts';
import { actionWrites, type Action } from '../activity/log.ts';
import { applied, batch, bind, first, write } from '../cassandra/statement.ts';
import { bookEvenRemoved } from '../catalogue/operations.ts';
import { connection, type Connection, type PageArguments } from '../graphql/connections.ts';
import { ANONYMOUS, requestContext, type AppContext, type RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { recordHappening, type LibraryEvent } from '../events/operations.ts';
import { idInput, type NodeId } from '../graphql/ids.ts';
import { itemById } from '../market/operations.ts';
import type { UserError as UserErrorData } from '../graphql/schema.generated.ts';
import { authority, changeOf, ttlOf } from '../aggregates/aggregate.ts';
import type { Step } from '../transactions/operations.ts';
import { SENTINEL, groupCommit } from './group-commit.ts';
import {
  deleteItem,
  insertItem,
  likers,
  likedThings,
  selectLikeSerially,
  updateLike,
  type LikeState,
} from './tables.ts';
import { likeCountLoader, viewerLikeLoader } from './loaders.ts';
import { existingLikeable, likeableIdFrom, likeableIdOf, type Likeable } from './likeables.ts';

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

/** What the answer to a like or unlike is made of; nothing but errors when nothing was done. */
export interface LikeAnswer {
  readonly likeable: Likeable | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  readonly userErrors: UserErrorData[];
}

/** Above the row that every shard has at the zero moment. */
const FIRST_LIKE = new Date(SENTINEL.liked_at.getTime() + 1);

// The transaction: the authority decides, everything else follows from what it says.

const likeChange = z.strictObject({ userId: z.uuid(), likeableId: z.string() });
type LikeChange = z.infer<typeof likeChange>;

/** What decides whether a reader likes a thing. */
export const likeAuthority = authority<LikeChange, LikeState>({
  name: 'like',
  payload: likeChange,
  row: ({ cassandra }, { userId, likeableId }) => {
    const key = { user_id: userId, likeable_id: likeableId };
    const replace = (current: LikeState | null, next: LikeState) =>
      applied(cassandra, updateLike, { ...key, current, next, ttl_seconds: ttlOf(next) });
    return {
      read: async () => (await first(cassandra, selectLikeSerially, key))?.state,
      insert: (state) => replace(null, state),
      replace,
    };
  },
  unmade: { liked: false, liked_at: null, shard: 0 },
  follow,
});

/** Changes a like: the authority's row first, then the lists, the count and the diary. */
export const likeTransaction = likeAuthority.transaction;

/**
 * The viewer likes a thing.
 * @returns `changed`: false when they liked it already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function like(context: RequestContext, input: { id: string }) {
  const now = context.clock();
  const { likeable, change } = await likeChangeOf(context, input);
  const gone = whyGone(likeable);
  if (gone !== undefined) throw new UserError('NOT_FOUND', gone, ['input', 'id']);
  const counts = await likeCountLoader(context).load(change.likeableId);
  // Most likes are the first of their reader and thing: no row is expected, and none is read.
  const changed = await likeAuthority.change(context, change, undefined, async (state, step) => {
    if (state?.liked) return undefined;
    // A new like forgets the moment of the former one, so the lists must have taken that back before.
    if (state) await follow(context, change, state, step);
    const changed = changeOf(context, state, now);
    return {
      ...changed,
      liked: true,
      liked_at: changed.changed_at,
      shard: counts?.newest_shard ?? 0,
    };
  });
  forgetReads(context, change);
  return { likeable, viewerId: change.userId, changed };
}

/**
 * The viewer takes a like back.
 * @returns `changed`: false when they did not like it
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unlike(context: RequestContext, input: { id: string }) {
  const now = context.clock();
  const { likeable, change } = await likeChangeOf(context, input);
  const expected = await likeAuthority.read(context, change);
  const changed = await likeAuthority.change(context, change, expected, (state) =>
    state?.liked ? { ...state, ...changeOf(context, state, now), liked: false } : undefined,
  );
  forgetReads(context, change);
  return { likeable, viewerId: change.userId, changed };
}

/** After a change its answer must not show what the request had read before it. */
function forgetReads(context: RequestContext, { likeableId }: LikeChange): void {
  likeCountLoader(context).clear(likeableId);
  viewerLikeLoader(context).clear(likeableId);
}

/** Why a thing cannot be liked any more; a like of before stays, and can be taken back. */
function whyGone(thing: Likeable): string | undefined {
  if (thing.type === 'Item') {
    return thing.status === 'FOR_SALE' ? undefined : 'This copy is not for sale any more and cannot be liked.';
  }
  return thing.isRemoved ? 'This book was removed from the catalogue and cannot be liked any more.' : undefined;
}

/** Checks who is to like what, before anything is written. */
async function likeChangeOf(context: RequestContext, input: { id: string }) {
  const userId = requireSignedIn(context);
  const id = idInput('id', input.id);
  if (id.type !== 'Book' && id.type !== 'Item') {
    const message = `This is the id of a ${id.type}, which cannot be liked; books and copies can.`;
    throw new UserError('INVALID_INPUT', message, ['input', 'id']);
  }
  const find = id.type === 'Book' ? bookEvenRemoved : itemById;
  const likeable = await find(context, id.key);
  if (!likeable) throw new UserError('NOT_FOUND', 'Nothing has this id.', ['input', 'id']);
  return { likeable, change: { userId, likeableId: likeableIdOf(likeable) } };
}

/** Brings the lists, the count and the diary up to a state of the authority. May be repeated at any time. */
async function follow(app: AppContext, change: LikeChange, state: LikeState, step: Step): Promise<void> {
  const { userId, likeableId } = change;
  const { liked, version, liked_at, changed_at, shard } = state;
  // Read after the decision: a rename or erasure that does not know of this like yet has been decided before.
  const account = await accountNow(app, userId);
  if (account.isErased) return forgetLike(app, change);
  if (!liked_at) return;
  // What is only kept for late repetitions to lose against needs no name.
  const fullName = liked ? account.fullName : '';
  const item = itemOf(change, liked_at, version);
  const actions: Action[] = [{ kind: 'LIKED', at: liked_at, subject: likeableId }];
  if (!liked) actions.push({ kind: 'UNLIKED', at: changed_at, subject: likeableId });
  const listed = async () => {
    const { title } = await existingLikeable(requestContext(app, ANONYMOUS), likeableIdFrom(likeableId));
    return bind(insertItem, { ...item, title });
  };
  const count = step('likers', () =>
    groupCommit(app).apply(likeableId, shard, { userId, fullName, liked, version, likedAt: liked_at }),
  );
  await Promise.all([
    step('event', () => recordHappening(app, likeEvent(change, liked_at, version, liked))),
    count,
    step('lists', async () => {
      // Read among the likers already: a new title that does not find this like there has been decided before.
      if (liked) await count;
      return batch(app.cassandra, [liked ? await listed() : bind(deleteItem, item), ...actionWrites(userId, actions)]);
    }),
  ]);
}

/** The row of a like in its reader's list, and the version that it is written with. */
export const itemOf = ({ userId, likeableId }: LikeChange, likedAt: Date, version: number) => ({
  user_id: userId,
  year: likedAt.getUTCFullYear(),
  liked_at: likedAt,
  likeable_id: likeableId,
  version: BigInt(version),
});

/** What is counted of a like. */
export const likeEvent = (
  { userId, likeableId }: LikeChange,
  at: Date,
  version: number,
  happened: boolean,
): LibraryEvent => ({
  kind: 'LIKE',
  subject: likeableId,
  at,
  id: `${userId} ${likeableId} ${String(at.getTime())}`,
  version,
  happened,
});

/** Takes back and forgets a like of a reader whose account is deleted. May be repeated at any time. */
export async function forgetLike(app: AppContext, change: LikeChange): Promise<void> {
  await likeAuthority.forget(app, change, async ({ liked_at, shard, version }) => {
    if (!liked_at) return;
    // Whoever still follows the like that was loses by the version.
    const takenBack = { userId: change.userId, fullName: '', liked: false, version: version + 1, likedAt: liked_at };
    await Promise.all([
      groupCommit(app).apply(change.likeableId, shard, takenBack),
      write(app.cassandra, deleteItem, itemOf(change, liked_at, version + 1)),
    ]);
  });
}

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
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const buckets = {
    column: 'year',
    values: years,
    of: ({ liked_at }: { liked_at: Date }) => liked_at.getUTCFullYear(),
  } as const;
  const list = {
    name: `likes ${user.id}`,
    descending: true,
    ...likedThings.list(context.cassandra, { user_id: user.id }, { buckets }),
  };
  return connection(page, list, ({ liked_at, likeable_id, title }, cursor) => ({
    cursor,
    likedAt: liked_at,
    title,
    node: likeableIdFrom(likeable_id),
  }));
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
  const shards = Array.from({ length: newestShard + 1 }, (_, shard) => shard);
  const buckets = { column: 'shard', values: shards, of: ({ shard }: { shard: number }) => shard } as const;
  const list = {
    ...likers.list(context.cassandra, { likeable_id: likeableId }, { within: { from: FIRST_LIKE }, buckets }),
    name: `likers ${likeableId}`,
    descending: true,
    filter: { keep: ({ liked }: { liked: boolean }) => liked, rowsMin: 0 },
  };
  return connection(page, list, ({ liked_at, user_id, full_name }, cursor) => ({
    cursor,
    likedAt: liked_at,
    node: { type: 'User', id: user_id, fullName: full_name },
  }));
}
