import type { BatchLoader } from '../cassandra/key-loaders.ts';
import { all } from '../cassandra/maybe-promise.ts';
import type { RequestContext } from '../context/context.ts';
import type { Connection, Cursor, PageArguments } from '../graphql/connections.ts';
import { countsAtHand, page, type LikeCounts } from '../member-sets/operations.ts';
import type { User } from './operations.ts';
import { canSeeReader, hiddenReaders, isFor } from './privacy.ts';

/** The readers who like a likeable, or follow a reader, as the caller may see them. */

/** A like, seen from the likeable, or a follow, seen from the followed reader. */
export interface LikerEdge {
  readonly cursor: Cursor;
  readonly likedAt: Date;
  /** Null if the viewer may not see it. */
  readonly node: User | null;
}

/** A page of the readers who like a likeable. */
export interface LikerConnection extends Connection<LikerEdge> {
  /** The number of all likers, from the counts that selected the shards to read. */
  readonly totalCount: number;
}

/**
 * Reads a page of the readers who like a likeable, newest like first.
 * @param likeableId the likeable, or the reader whose followers are read
 * @param countLoader loads the counts that the request shows
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function shownLikers(
  context: RequestContext,
  likeableId: string,
  countLoader: BatchLoader<LikeCounts>,
  args: PageArguments,
): Promise<LikerConnection> {
  // The readers hidden from the viewer are read together with the page.
  hiddenReaders(context);
  const pageBy = (counts: LikeCounts | undefined) =>
    page(context, likeableId, args, counts, (row, cursor): LikerEdge => {
      const liker: User = { type: 'User', id: row.user_id, fullName: row.full_name };
      return { cursor, likedAt: row.liked_at, node: isFor(context, liker.id, row.audience) ? liker : null };
    });

  // Kept counts nearly always name the same shards as the current counts, so the page does not wait
  // for the current ones.
  const atHand = countsAtHand(context, likeableId);
  const [counts, early] = await Promise.all([countLoader.load(likeableId), atHand && pageBy(atHand)]);
  const isCurrent = atHand !== undefined && counts?.areOfShardsOf(atHand);
  const likers = early && isCurrent ? early : await pageBy(counts);

  const isSeen = await all(likers.edges.map(({ node }) => node !== null && canSeeReader(context, node.id)));
  const edges = likers.edges.map((edge, index) => (isSeen[index] ? edge : { ...edge, node: null }));
  return { edges, pageInfo: likers.pageInfo, totalCount: counts?.likeCount ?? 0 };
}
