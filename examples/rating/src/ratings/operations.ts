import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type Connection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { requireViewer } from '../identity/operations.ts';
import { ratings } from './aggregate.ts';
import { viewerRatingLoader } from './loaders.ts';
import { ratedBooks } from './tables.ts';

/** Rates books, and lists the books that a reader has rated. */

const STARS_MAX = 5;

/** A rating that was not taken back. */
export interface Rating {
  readonly stars: number;
  readonly ratedAt: Date;
}

/**
 * Rates a book for the viewer, or takes the rating back if no stars are given.
 * @throws {UserError} `INVALID_INPUT` about `bookId` or `stars`, `NOT_FOUND` about `bookId`
 */
export async function rateBook(context: RequestContext, input: { bookId: string; stars?: number | null }) {
  const viewer = await requireViewer(context);
  const { bookId, stars } = readInput({
    bookId: () => bookIdInput(input.bookId),
    stars: () => starsInput(input.stars ?? null),
  });
  const book = await requireBook(context, bookId);
  const key = { userId: viewer.id, bookId };

  const expected = await ratings.read(context, key);
  await ratings.change(context, key, expected, (state, at) => {
    const former = state?.stars ?? null;
    if (stars === former) return undefined;
    // Other stars for a rated book stay at their place in the list.
    return { stars, rated_at: former === null ? at : (state?.rated_at ?? at) };
  });

  viewerRatingLoader(context).clear(bookId);
  return { book };
}

function starsInput(stars: number | null): number | null {
  if (stars === null || (stars >= 1 && stars <= STARS_MAX)) return stars;
  throw new UserError('INVALID_INPUT', `A rating has 1 to ${STARS_MAX} stars.`, ['input', 'stars']);
}

/** Returns the viewer's rating of a book; null if there is none. */
export async function viewerRating(context: RequestContext, bookId: string): Promise<Rating | null> {
  const { stars = null, rated_at = null } = (await viewerRatingLoader(context).load(bookId))?.state ?? {};
  return stars !== null && rated_at ? { stars, ratedAt: rated_at } : null;
}

/** A book that a reader has rated. */
export interface RatedBookEdge extends Rating {
  readonly cursor: Cursor;
  readonly bookId: string;
}

/**
 * Returns a page of the books that a reader has rated, last one first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function ratedBooksOf(
  { cassandra }: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<Connection<RatedBookEdge>> {
  const list = { ...ratedBooks.list(cassandra, { user_id: userId }), name: `rated ${userId}`, descending: true };
  return connection(page, list, ({ rated_at, book_id, stars }, cursor) => ({
    cursor,
    bookId: book_id,
    stars,
    ratedAt: rated_at,
  }));
}
