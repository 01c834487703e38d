import { feedMonthsOf, monthsShown, type FeedMonths } from '../activity/feed-months.ts';
import {
  compareEntries,
  FEED_KINDS,
  type FeedPosition,
  type FeedRow,
  type FeedSource,
  type MonthOfReader,
} from '../activity/feed-sources.ts';
import { cql, uuid } from '../cassandra/columns.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { mergedRead, type Slice } from '../cassandra/paging.ts';
import { cursorOf } from '../cassandra/range.ts';
import { existingBook } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type Connection, type Cursor, type List, type PageArguments } from '../graphql/connections.ts';
import { storedSubject, subjectOf } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import { followedByViewer } from '../identity/following.ts';
import { hiddenReaders, shownDataOf } from '../identity/privacy.ts';
import { bookOfSubject, likedLikeable, readerOfLikeable, type Likeable } from '../likes/likeables.ts';
import { likesInFeeds } from '../likes/in-feeds.ts';
import { ratingsInFeeds } from '../ratings/in-feeds.ts';
import { starsOf } from '../ratings/stars.ts';
import { readingsInFeeds } from '../reading/in-feeds.ts';
import { reviewsInFeeds } from '../reviews/in-feeds.ts';
import { reviewOf, type Review } from '../reviews/operations.ts';
import { monthOf } from '../time/units.ts';

/**
 * The feed: what the readers that the viewer follows liked, read, rated and reviewed. It is merged
 * when it is read, from the lists of those readers, so it shows every change at once, and nothing
 * must be written, pruned or rebuilt for it.
 */

/** An entry of a feed: something that a reader did. */
export type FeedEntry = FeedRow;

export interface FeedEdge {
  readonly cursor: Cursor;
  readonly at: Date;
  readonly node: FeedEntry;
}

const SOURCES: readonly FeedSource[] = [likesInFeeds, ratingsInFeeds, readingsInFeeds, reviewsInFeeds];

const isPosition = ({ kind, key }: { readonly kind: string; readonly key: string }) =>
  (FEED_KINDS as readonly string[]).includes(kind) && (kind !== 'REVIEWED' || uuid.safeParse(key).success);

const cursor = cursorOf({ at: cql.timestamp, kind: cql.text, userId: cql.uuid, key: cql.text }).refine(
  isPosition,
) as List<FeedRow, FeedPosition>['cursor'];

/**
 * Returns a page of the viewer's feed, newest first; null when signed out.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function feedOf(context: RequestContext, page: PageArguments): Promise<Connection<FeedEdge> | null> {
  const { viewerId } = context;
  if (viewerId === null) return null;

  // The readers hidden from the viewer are read together with those whom the viewer follows.
  hiddenReaders(context);
  const userIds = [...(await followedByViewer(context))];
  const found = await feedMonthsOf(context, userIds);
  const months = userIds.map((userId, index) => ({ userId, months: found[index] }));

  const list: List<FeedRow, FeedPosition> = {
    name: `feed ${viewerId}`,
    descending: true,
    cursor,
    positionOf: ({ at, kind, userId, key }) => ({ at, kind, userId, key }),
    partitions: monthsShown(context.clock()).map((month) => month.getTime()),
    partitionOf: ({ at }) => monthOf(at).getTime(),
    read: (some, slice) => readMonths(context, months, some, slice),
    filter: { keep: (row) => isEntryShown(context, row), rowsMin: 0 },
  };
  return connection(page, list, (node, cursorOfEntry) => ({ cursor: cursorOfEntry, at: node.at, node }));
}

/** A reader, and the months in which they have rows for feeds. */
interface ActiveReader {
  readonly userId: string;
  readonly months: FeedMonths | undefined;
}

/** Reads the first entries of consecutive months after a position. */
async function readMonths(
  context: RequestContext,
  readers: readonly ActiveReader[],
  some: readonly number[],
  slice: Slice<FeedPosition>,
): Promise<FeedRow[]> {
  const active = some.flatMap((time) =>
    readers.flatMap(({ userId, months }) => (months?.has(time) ? [{ userId, month: new Date(time) }] : [])),
  );
  const userIds = [...new Set(active.map(({ userId }) => userId))];
  const shown = await Promise.all(userIds.map((userId) => shownDataOf(context, userId)));
  const shownOf = new Map(userIds.map((userId, index) => [userId, shown[index]]));
  const isForViewer = ({ audience }: FeedSource, { userId }: MonthOfReader) => {
    const data = shownOf.get(userId);
    return data != null && (audience === undefined || data[audience]);
  };

  const within = { from: new Date(Math.min(...some)), to: monthAfter(new Date(Math.max(...some))) };
  const reads = SOURCES.map((source) => (each: Slice<FeedPosition>) => {
    const months = active.filter((month) => isForViewer(source, month));
    return source.read(context.cassandra, months, each, within);
  });
  return mergedRead(reads, compareEntries, slice);
}

const monthAfter = (month: Date) => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));

/** Returns whether the caller may see the thing of an entry, whose reader they may see. */
function isEntryShown(context: RequestContext, entry: FeedEntry): MaybePromise<boolean> {
  switch (entry.kind) {
    case 'LIKED':
      return andThen(likeableOf(context, entry), (likeable) => likeable !== null);
    case 'REVIEWED':
      return andThen(reviewIn(context, entry), (review) => review !== null);
    case 'RATED':
    case 'READ':
      return true;
  }
}

/** Returns what was liked; null for entries of other kinds. */
export const likeableOf = (context: RequestContext, { kind, key }: FeedEntry): MaybePromise<Likeable | null> =>
  kind === 'LIKED' ? likedLikeable(context, storedSubject(key)) : null;

/** Returns the review that was written; null for entries of other kinds. */
export const reviewIn = (context: RequestContext, { kind, key }: FeedEntry): MaybePromise<Review | null> =>
  kind === 'REVIEWED' ? reviewOf(context, { reviewId: key }) : null;

/** Returns the book of an entry; null for the like of something that is not about a book. */
export function bookOfEntry(context: RequestContext, entry: FeedEntry): MaybePromise<Models['Book'] | null> {
  switch (entry.kind) {
    case 'LIKED':
      return bookOfSubject(context, entry.key);
    case 'REVIEWED':
      return andThen(reviewIn(context, entry), (review) => review && existingBook(context, review.bookId));
    case 'RATED':
    case 'READ':
      return existingBook(context, entry.key);
  }
}

/**
 * Returns the names of what decides whether the caller is shown an entry, besides its reader: the
 * thing, as `Type:key`, and the reader whom it belongs to. A book is shown to everybody.
 */
export function thingsBehind(context: RequestContext, entry: FeedEntry): MaybePromise<string[]> {
  const thing = entry.kind === 'REVIEWED' ? subjectOf({ type: 'Review', key: entry.key }) : entry.key;
  if (entry.kind === 'REVIEWED') return [thing];
  return andThen(likeableOf(context, entry), (likeable) => {
    if (!likeable || likeable.type === 'Book') return [];
    return [thing, readerOfLikeable(context, likeable) ?? thing];
  });
}

/** Returns the rating in stars; null for entries of other kinds. */
export const ratingOfEntry = ({ quarters }: FeedEntry): number | null =>
  quarters === undefined ? null : starsOf(quarters);
