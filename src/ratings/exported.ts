import { isTombstone } from '../aggregates/state.ts';
import { each, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { dayAt } from '../time/days.ts';
import { starsOf } from './stars.ts';
import { selectRatings, selectRatingsAmong, type RatingState } from './tables.ts';

/** The ratings of a reader in the form of exports. */

/** A book that a reader has rated. */
export interface OwnRating {
  readonly bookId: string;
  readonly stars: number;
  /** The day of the rating in UTC. */
  readonly ratedOn: string;
}

function ratingIn({ book_id: bookId, state }: { readonly book_id: string; readonly state: RatingState }): OwnRating[] {
  const { quarters, rated_at } = state;
  if (isTombstone(state) || quarters === null || !rated_at) return [];
  return [{ bookId, stars: starsOf(quarters), ratedOn: dayAt(rated_at) }];
}

/**
 * Reads a reader's ratings of some books.
 * @returns the ratings in stars, by book
 */
export async function ratingsAmong(
  { cassandra }: AppContext,
  user_id: string,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await rows(cassandra, selectRatingsAmong, { user_id, book_ids: bookIds });
  return new Map(found.flatMap(ratingIn).map(({ bookId, stars }) => [bookId, stars]));
}

/** Yields all ratings of a reader in no order. */
export async function* ownRatings({ cassandra }: AppContext, user_id: string): AsyncGenerator<OwnRating> {
  for await (const row of each(cassandra, selectRatings, { user_id })) yield* ratingIn(row);
}
