import { each, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { dayAt } from '../time/days.ts';
import { isWritten, reviewKeyOf } from './aggregate.ts';
import { selectReviews, selectReviewsOfReader, type ReviewState } from './tables.ts';

/** The reviews of a reader in the form of exports. */

/** A review of a book. */
export interface OwnReview {
  readonly bookId: string;
  readonly text: string;
  readonly hasSpoilers: boolean;
  /** The day of its first text in UTC. */
  readonly writtenOn: string;
}

function reviewIn({ state }: { readonly state: ReviewState }): OwnReview[] {
  if (!isWritten(state)) return [];
  const { book_id, text, has_spoilers, written_at } = state;
  return [{ bookId: book_id, text, hasSpoilers: has_spoilers, writtenOn: dayAt(written_at) }];
}

/** Reads a reader's reviews of some books, by book. */
export async function reviewsAmong(
  { cassandra }: AppContext,
  userId: string,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, OwnReview>> {
  const review_ids = bookIds.map((bookId) => reviewKeyOf(userId, bookId).reviewId);
  const found = await rows(cassandra, selectReviews, { review_ids });
  return new Map(found.flatMap(reviewIn).map((review) => [review.bookId, review]));
}

/** Yields all reviews of a reader, newest first. */
export async function* ownReviews({ cassandra }: AppContext, user_id: string): AsyncGenerator<OwnReview> {
  for await (const { review_id } of each(cassandra, selectReviewsOfReader, { user_id }))
    yield* (await rows(cassandra, selectReviews, { review_ids: [review_id] })).flatMap(reviewIn);
}
