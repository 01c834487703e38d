import { first } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { bookIdInput, requireBook, requireBookEvenRemoved } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { readInput } from '../graphql/inputs.ts';
import type { UserError as UserErrorData } from '../graphql/generated/schema-types.ts';
import { requireSignedIn } from '../identity/operations.ts';
import { STEPS } from '../member-sets/histogram.ts';
import { countedInHour, groupCommit, placeFor, ratingsId } from '../member-sets/operations.ts';
import { tallyLoader } from '../member-sets/tally.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { ratings, type RatingKey } from './aggregate.ts';
import { ratingLoader, viewerRatingLoader } from './loaders.ts';
import { ratingInput, starsOf } from './stars.ts';
import { ratedBooks, selectRatingsAmong, type RatingState } from './tables.ts';

/** Rating a book, taking a rating back, and showing ratings. */

/** The answer to a change of a rating; only errors if nothing was done. */
export interface RatingAnswer {
  readonly book: Book | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  readonly userErrors: UserErrorData[];
}

/** The ratings of a book. */
export interface RatingTally {
  /** The mean in stars; null if there are too few ratings to show it. */
  readonly average: number | null;
  readonly count: number;
  /** The numbers of ratings of 0.25, 0.5, … 5 stars; zeros if there are too few to show. */
  readonly histogram: readonly number[];
  readonly isExact: boolean;
}

/** A book that a reader has rated. */
export interface RatedBookEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  /** In stars. */
  readonly rating: number;
  readonly ratedAt: Date;
}

/**
 * The viewer rates a book, or changes their rating.
 * @param input `rating`: in stars
 * @returns `changed`: false if the rating is the same
 * @throws {UserError} `INVALID_INPUT` about `bookId` or `rating`; `NOT_FOUND` about `bookId`;
 *   `RATE_LIMITED` when the rating was taken back too often
 */
export async function rateBook(context: RequestContext, input: { bookId: string; rating: number }) {
  const userId = requireSignedIn(context);
  const { bookId, quarters } = readInput({
    bookId: () => bookIdInput(input.bookId),
    quarters: () => ratingInput(input.rating),
  });
  const book = await requireBook(context, bookId);

  const changed = await giveRating(context, { userId, bookId }, quarters);
  return answerOf(context, book, userId, changed);
}

/**
 * The viewer takes their rating of a book back.
 * @returns `changed`: false if they had not rated it
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `bookId`
 */
export async function unrateBook(context: RequestContext, input: { bookId: string }) {
  const userId = requireSignedIn(context);
  const bookId = bookIdInput(input.bookId);
  const book = await requireBookEvenRemoved(context, bookId);

  const changed = await takeRatingBack(context, { userId, bookId });
  return answerOf(context, book, userId, changed);
}

function answerOf(context: RequestContext, book: Book, viewerId: string, changed: boolean) {
  viewerRatingLoader(context).clear(book.id);
  ratingLoader(context).clear({ userId: viewerId, bookId: book.id });
  return { book, viewerId, changed };
}

/**
 * Stores a reader's own rating of a book.
 * @returns whether anything changed
 */
async function giveRating(app: AppContext, key: RatingKey, quarters: number): Promise<boolean> {
  const [expected, place] = await Promise.all([storedRating(app, key), placeFor(app, ratingsId(key.bookId))]);
  if (isRated(expected)) groupCommit(app).requireRoom(ratingsId(key.bookId), expected.shard);

  const { changed } = await ratings.change(app, key, expected, (state, at) => {
    // A rating from an import becomes the reader's own, so that no undo takes it back.
    if (state?.quarters === quarters && state.import_id === null) return undefined;
    const given = { quarters, import_id: null };
    // A changed rating keeps its place in the lists.
    if (isRated(state)) return { ...state, ...given };
    return { ...given, rated_at: at, shard: place.shard, ...countedRating(app, state, at) };
  });
  return changed;
}

/**
 * Counts a reader's ratings of a book in an hour.
 * @throws {UserError} `RATE_LIMITED`
 */
function countedRating({ config }: AppContext, state: RatingState | undefined, at: Date) {
  const former = { began: state?.hour_began, count: state?.hour_ratings };
  const { began, count } = countedInHour(config, former, at, 'You rated this book and took it back too often.');
  return { hour_began: began, hour_ratings: count };
}

/**
 * Takes a reader's rating of a book back.
 * @returns whether anything changed
 */
async function takeRatingBack(app: AppContext, key: RatingKey): Promise<boolean> {
  const stored = await storedRating(app, key);
  // Only a serial read can decide that there is no rating: nothing is changed then, so no condition
  // would fail.
  const expected = isRated(stored) ? stored : await ratings.read(app, key);
  if (isRated(expected)) groupCommit(app).requireRoom(ratingsId(key.bookId), expected.shard);

  const { changed } = await ratings.change(app, key, expected, (state) =>
    isRated(state) ? { ...state, quarters: null, import_id: null } : undefined,
  );
  return changed;
}

/**
 * Reads the probable state of a rating. A plain read costs less than half of a serial one, and the
 * condition of the change fails if it was too old.
 */
const storedRating = async ({ cassandra }: AppContext, { userId, bookId }: RatingKey) =>
  (await first(cassandra, selectRatingsAmong, { user_id: userId, book_ids: [bookId] }))?.state;

export const isRated = (state: RatingState | undefined): state is RatingState & { readonly quarters: number } =>
  state !== undefined && state.quarters !== null;

/** Returns the viewer's rating of a book in stars; null if there is none. */
export async function viewerRating(context: RequestContext, bookId: string): Promise<number | null> {
  const { quarters = null } = (await viewerRatingLoader(context).load(bookId))?.state ?? {};
  return quarters === null ? null : starsOf(quarters);
}

/**
 * Returns a reader's rating of a book in stars, regardless of who may see it; null if there is
 * none.
 */
export async function ratingOf(context: RequestContext, userId: string, bookId: string): Promise<number | null> {
  const quarters = await ratingLoader(context).load({ userId, bookId });
  return quarters == null ? null : starsOf(quarters);
}

/**
 * The minimum number of ratings for which average and histogram are shown. With fewer, they could
 * reveal the rating of a reader whose ratings are hidden, but who is known to have read the book.
 */
const RATINGS_SHOWN_MIN = 5;

/**
 * Returns the ratings of a book, and whether they include every answered rating. With fewer ratings
 * than {@link RATINGS_SHOWN_MIN} only the number is shown, unless the viewer's is the only one.
 */
export async function ratingTallyOf(context: RequestContext, bookId: string): Promise<RatingTally> {
  const { count, histogram: found, isExact } = await tallyLoader(context).load(ratingsId(bookId));
  const own = count === 1 ? await viewerRating(context, bookId) : null;
  const histogram = Array.from({ length: STEPS }, (_, index) =>
    count < RATINGS_SHOWN_MIN ? Number(starsOf(index + 1) === own) : (found[index] ?? 0),
  );
  const sum = histogram.reduce((total, ofStep, index) => total + ofStep * (index + 1), 0);
  return {
    average: count < RATINGS_SHOWN_MIN ? own : starsOf(sum / count),
    count,
    histogram,
    // A read sees every answered write only if this server is trusted.
    isExact: isExact && whyUntrusted(context) === undefined,
  };
}

/**
 * Returns a page of the books that a reader has rated, last one first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function ratedBooksOf(
  { cassandra }: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<CountedConnection<RatedBookEdge>> {
  const list = { ...ratedBooks.list(cassandra, { user_id: userId }), name: `rated ${userId}`, descending: true };
  return connection(page, list, ({ rated_at, book_id, quarters }, cursor) => ({
    cursor,
    bookId: book_id,
    rating: starsOf(quarters),
    ratedAt: rated_at,
  }));
}
