import { LOWEST_UUID } from '../cassandra/orders.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf } from '../graphql/ids.ts';
import { countsNow } from '../member-sets/operations.ts';
import { idOf, isWritten, reviewIdIn, reviews } from './aggregate.ts';
import { reviewStates } from './tables.ts';

/**
 * The rank of a review among those of its book: its number of likes, with two significant digits.
 */

/** Returns the rank of a review with some likes. */
export function rankOf(likes: number): number {
  const unit = 10 ** Math.max(0, String(likes).length - 2);
  return Math.floor(likes / unit) * unit;
}

/** Returns the ranks of some reviews by their current numbers of likes, in the same order. */
export async function ranksNow(app: AppContext, ids: readonly string[]): Promise<number[]> {
  const likeableIds = ids.map((key) => subjectOf({ type: 'Review', key }));
  const counts = await countsNow(app, likeableIds);
  return likeableIds.map((likeableId) => rankOf(counts.get(likeableId)?.likeCount ?? 0));
}

/**
 * The job that lists a review under its number of likes. The number is read after the state. Each
 * ranking changes the state, even to the same rank, so that the condition of a ranking with an
 * older number fails.
 */
export const rankReview: JobHandler = async (app, id) => {
  const reviewId = reviewIdIn(id);
  const expected = await reviewStates.read(app.cassandra, { review_id: reviewId });
  if (!isWritten(expected) || idOf(reviewId, expected) !== id) return undefined;

  const [like_rank = 0] = await ranksNow(app, [id]);
  const key = { reviewId, authorId: expected.author_id };
  const { changed } = await reviews.change(app, key, expected, (state) =>
    state?.version === expected.version ? { ...state, like_rank, former_rank: state.like_rank } : undefined,
  );
  return changed ? undefined : 'once more';
};

/** Repairs a review: lists it under its number of likes, and writes its projections again. */
export async function repairReview(app: AppContext, { reviewId }: { readonly reviewId: string }, above: number) {
  const read = () => reviewStates.read(app.cassandra, { review_id: reviewId });
  const before = await read();
  if (before) await rankReview(app, idOf(reviewId, before), '', '');
  const state = await read();
  // A review that was deleted has no row in the lists.
  return reviews.repair(app, { reviewId, authorId: state?.author_id ?? LOWEST_UUID }, above);
}
