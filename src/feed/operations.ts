import { feedMonthsOf } from '../activity/feed-months.ts';
import { FEED_KINDS, type FeedPosition, type FeedRow } from '../activity/feed-sources.ts';
import { cql, uuid } from '../cassandra/columns.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { ONE_PARTITION } from '../cassandra/paging.ts';
import { cursorOf } from '../cassandra/range.ts';
import { existingBook } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type Connection, type Cursor, type List, type PageArguments } from '../graphql/connections.ts';
import { storedSubject, subjectOf } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import { followedByViewer } from '../identity/following.ts';
import { hiddenReaders } from '../identity/privacy.ts';
import { bookOfSubject, likedLikeable, readerOfLikeable, type Likeable } from '../likes/likeables.ts';
import { starsOf } from '../ratings/stars.ts';
import { reviewOf, type Review } from '../reviews/operations.ts';
import { FeedReader, positionOf } from './reader.ts';

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
  const readers = userIds.map((userId, index) => ({ userId, months: found[index] }));

  let reader: FeedReader | undefined;
  const list: List<FeedRow, FeedPosition> = {
    ...ONE_PARTITION,
    name: `feed ${viewerId}`,
    descending: true,
    cursor,
    positionOf,
    read: (_partitions, slice) => {
      if (!reader?.continuesAt(slice)) reader = new FeedReader(context, readers, slice);
      return reader.next(slice.limit);
    },
    filter: { keep: (row) => isEntryShown(context, row), rowsMin: 0 },
  };
  return connection(page, list, (node, cursorOfEntry) => ({ cursor: cursorOfEntry, at: node.at, node }));
}

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
