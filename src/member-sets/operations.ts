import pLimit from 'p-limit';
import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import type { BatchLoader } from '../cassandra/key-loaders.ts';
import { jsonMoment, LOWEST_UUID } from '../cassandra/orders.ts';
import { readSlice } from '../cassandra/paging.ts';
import { each, write } from '../cassandra/statement.ts';
import { sharedLoader } from '../cassandra/recent-reads.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import type { Config } from '../config/config.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { transactionLog } from '../transactions/log.ts';
import { connection, type Connection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { RateLimitedError } from '../graphql/errors.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import { HOUR_MS, MINUTE_MS } from '../time/units.ts';
import { keptCounts, likeCounts, noCounts, type LikeCounts } from './counts.ts';
import { groupCommit } from './group-commit.ts';
import { chooseShard } from './numbering.ts';
import type { ShardState } from './shard.ts';
import { shardList, type LikerRow } from './shard-list.ts';
import { eraseCount, eraseCounts, eraseShard, selectShownLikers, tablesOf } from './tables.ts';

export type { LikeCounts } from './counts.ts';
export { groupCommit, type Committed } from './group-commit.ts';
export { membersAmong, newestFirst, type SoughtReaders } from './kept-members.ts';
export { PackedIds } from './packed-ids.ts';
export type { LikerRow } from './shard-list.ts';
export type { Change, ShardState } from './shard.ts';
export { bookOfRatings, likeTables, ratingsId, ratingTables } from './tables.ts';

/**
 * The readers who like a likeable, and their number, in shards. A feature decides about a like and
 * keeps its state, which names the like's shard; this folder updates the shard to the state. It
 * knows neither the kinds of likeables nor the features.
 */

/**
 * The maximum age of the counts that are used before a like while this process commits other likes
 * of the same thing. It is about the duration of a commit.
 */
const BUSY_AGE_MAX_MS = 20;

/** The part of a like's state that names the place of its liker. */
export interface Placed {
  /** Null if it was never liked, in a tombstone. */
  readonly liked_at: Date | null;
  readonly shard: number;
}

/** The counts of a likeable before a change. */
export interface CountsBefore {
  readonly likeableId: string;
  /** `undefined` if nobody has liked it yet. */
  readonly counts: LikeCounts | undefined;
  /** True if they may be a moment old. */
  readonly isRecent: boolean;
}

/** The place of a new like. */
export interface Place extends CountsBefore {
  readonly shard: number;
}

/**
 * Finds the shard for a new like.
 * @throws `OVERLOADED` if too many changes wait for the shard
 */
export async function placeFor(app: AppContext, likeableId: string): Promise<Place> {
  // The counts may be a moment old, so the shard may be closed. A closed shard accepts a like as
  // well.
  const recent = keptCounts(app);
  const kept = recent.kept(likeableId);
  let { row: counts } = await (kept ?? recent.read(likeableId));
  let shard = chooseShard(counts, transactionLog(app).rank);

  // During a commit another server may compete for the shard and open stripes.
  if (kept && groupCommit(app).isBusy(likeableId, shard)) {
    ({ row: counts } = await (recent.kept(likeableId, BUSY_AGE_MAX_MS) ?? recent.read(likeableId)));
    shard = chooseShard(counts, transactionLog(app).rank);
  }

  groupCommit(app).requireRoom(likeableId, shard);
  return { likeableId, shard, counts, isRecent: kept !== undefined };
}

/** Reads the counts of a likeable before a like of it is taken back. */
export async function countBefore(app: AppContext, likeableId: string): Promise<CountsBefore> {
  const { row: counts } = await keptCounts(app).read(likeableId);
  return { likeableId, counts, isRecent: false };
}

/**
 * Counts one more like or rating of a thing by a reader. A like that is taken back leaves a row in
 * its shard, so the number of likes in an hour is limited. Taking a like back is never refused,
 * because the like itself was counted.
 * @param former the former changes in the hour: the moment of the first one, and their number
 * @param refusal the message, which names the action that was repeated too often
 * @throws {UserError} `RATE_LIMITED`
 */
export function countedInHour(
  { likeChangesPerHour }: Config,
  former: { readonly began: Date | null | undefined; readonly count: number | undefined },
  at: Date,
  refusal: string,
): { readonly began: Date; readonly count: number } {
  const { began, count = 0 } = former;
  if (!began || at.getTime() - began.getTime() >= HOUR_MS) return { began: at, count: 1 };

  // Every second change takes a like or rating back.
  const isTooOften = likeChangesPerHour > 0 && 2 * count >= likeChangesPerHour;
  if (isTooOften) {
    const seconds = Math.ceil((began.getTime() + HOUR_MS - at.getTime()) / 1_000);
    throw new RateLimitedError(refusal, seconds);
  }
  return { began, count: count + 1 };
}

/**
 * Returns the counts after a change; `undefined` if they must be read.
 * @param states the like's states before and after the change, `undefined` for none
 * @param committed the state of the shard after the commit; `undefined` if it is not known
 */
export function countAfter(
  { likeableId, counts, isRecent }: CountsBefore,
  states: { readonly before: Placed | undefined; readonly state: Placed | undefined },
  committed: ShardState | undefined,
): LikeCounts | undefined {
  // Kept counts may lack an earlier change by the same reader.
  if (isRecent && states.before) return undefined;

  const before = counts ?? noCounts(likeableId);
  if (!states.state?.liked_at) return before;
  return committed && before.with(states.state.shard, committed);
}

/**
 * Makes a request's loader of counts to show. The counts may be a moment old, so that popular
 * counts are read once per moment and process.
 * @param isOwnChange returns true if the viewer has changed a like of a likeable lately and must
 *   see its current counts, whichever server took the change
 */
export function shownCounts(
  context: RequestContext,
  isOwnChange: (likeableId: string) => MaybePromise<boolean>,
): BatchLoader<LikeCounts> {
  const recent = keptCounts(context);
  const read = (likeableId: string) => recent.read(likeableId);
  return sharedLoader(context, {
    kept: (likeableId) => {
      const kept = recent.kept(likeableId);
      return kept && andThen(isOwnChange(likeableId), (isOwn) => (isOwn ? read(likeableId) : kept));
    },
    read,
  });
}

/**
 * The time after a change of a like during which its reader sees current counts. It is longer than
 * a request and the differences of clocks.
 */
const LATELY_MS = 10 * MINUTE_MS;

/**
 * Returns whether a like or a follow was changed so lately that kept counts may lack the change.
 */
export const hasChangedLately = (
  { clock }: Pick<AppContext, 'clock'>,
  changed: { readonly changed_at: Date } | undefined,
): boolean => changed !== undefined && clock().getTime() - changed.changed_at.getTime() < LATELY_MS;

/** Returns the counts that are kept in this process, which may be a moment old. */
export function countsAtHand(app: AppContext, likeableId: string): LikeCounts | undefined {
  const kept = keptCounts(app).kept(likeableId);
  return kept instanceof Promise ? undefined : kept?.row;
}

/**
 * Reads a page of the readers who like a likeable, newest like first.
 * @param counts the counts, which name the shards to read; `undefined` if nobody likes it
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export const page = <Edge>(
  context: RequestContext,
  likeableId: string,
  args: PageArguments,
  counts: LikeCounts | undefined,
  edgeOf: (row: LikerRow, cursor: Cursor) => Edge,
): Promise<Connection<Edge>> => {
  const list = shardList(context, likeableId, counts ?? noCounts(likeableId));
  return connection(args, list, edgeOf);
};

/** Reads the current counts of some likeables. Those that nobody ever liked are missing. */
export async function countsNow(
  app: AppContext,
  likeableIds: readonly string[],
): Promise<ReadonlyMap<string, LikeCounts>> {
  const counts = likeCounts(app);
  const found = await Promise.all(likeableIds.map((likeableId) => counts.load(likeableId)));
  return new Map(found.flatMap((each) => (each ? [[each.likeableId, each] as const] : [])));
}

/**
 * Reads the rows of the readers who liked a likeable last, newest like first.
 * @param counts its counts, which name the shards to read
 */
export async function newestLikers(app: AppContext, counts: LikeCounts, limit: number): Promise<LikerRow[]> {
  const list = shardList(app, counts.likeableId, counts);
  return (await readSlice(list, { descending: true, from: undefined, limit })).rows;
}

/** The position of a liker among all likers of a likeable, as a job stores it. */
export const likerPosition = z.strictObject({ shard: z.int(), liked_at: jsonMoment, user_id: uuid });
export type LikerPosition = z.output<typeof likerPosition>;

/** The position before the first liker. */
export const FIRST_LIKER: LikerPosition = { shard: 0, liked_at: new Date(0), user_id: LOWEST_UUID };

const LIKERS_PER_PAGE = 200;
const LIKERS_AT_ONCE = 16;

/**
 * Runs a function for each liker on a page of the likers of a likeable.
 * @returns the end of the page, `undefined` when all are done
 */
export async function eachOfSomeLikers(
  app: AppContext,
  likeable_id: string,
  from: LikerPosition,
  work: (userId: string) => Promise<unknown>,
): Promise<LikerPosition | undefined> {
  const { shard } = from;
  const slice = { descending: false, from, limit: LIKERS_PER_PAGE };
  const some = await tablesOf(likeable_id).places.read(app.cassandra, { likeable_id, shard, liked: true }, slice);
  await pLimit(LIKERS_AT_ONCE).map(some, ({ user_id }) => work(user_id));

  const last = some.at(-1);
  if (last && some.length === LIKERS_PER_PAGE) return { shard, liked_at: last.liked_at, user_id: last.user_id };

  const { shards = [] } = (await likeCounts(app).load(likeable_id)) ?? {};
  const behind = shards.filter((each) => each > shard);
  return behind.length > 0 ? { ...FIRST_LIKER, shard: Math.min(...behind) } : undefined;
}

/**
 * Erases a shard of likers permanently, with those that are still being written. Its likeable must
 * be gone. The count is erased last, because {@link eraseAllMembers} finds the shard by it.
 */
export async function eraseMembers({ cassandra }: AppContext, likeable_id: string, shard: number): Promise<void> {
  await write(cassandra, eraseShard, { likeable_id, shard });
  await write(cassandra, eraseCount, { likeable_id, shard });
}

/**
 * Erases all likers of a likeable that is gone. A change in progress may then open another shard,
 * which it must erase itself.
 */
export async function eraseAllMembers(app: AppContext, likeable_id: string): Promise<void> {
  const newest = (await likeCounts(app).load(likeable_id))?.newestShard ?? 0;
  for (let shard = 0; shard <= newest; shard++) await eraseMembers(app, likeable_id, shard);
  await write(app.cassandra, eraseCounts, { likeable_id });
}

/** Yields all readers who like a likeable, with who may see that, in no particular order. */
export async function* eachLiker(
  app: AppContext,
  likeable_id: string,
): AsyncGenerator<{ readonly user_id: string; readonly liked_at: Date; readonly audience: Audience }> {
  const { shards = [] } = (await likeCounts(app).load(likeable_id)) ?? {};
  for (const shard of shards) yield* each(app.cassandra, selectShownLikers, { likeable_id, shard, liked: true });
}
