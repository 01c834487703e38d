import type { Content } from '../aggregates/aggregate.ts';
import { changeOrFence, isSaidLater, type Importing, type Removing } from '../aggregates/importing.ts';
import type { AppContext } from '../context/context.ts';
import { placeFor, ratingsId } from '../likers/operations.ts';
import { ratings } from './aggregate.ts';
import { isRated } from './operations.ts';
import { quartersOf } from './stars.ts';
import type { RatingState } from './tables.ts';

/**
 * Ratings that a reader imports from elsewhere. An import replaces what an earlier one brought, and
 * takes back what it brought itself. Whatever the reader has said here stays.
 */

/** True if the reader said the last word about the book here, not an import. */
const isOwnWord = (state: RatingState | undefined): boolean => state?.rated_at != null && state.import_id === null;

/**
 * Adds a rating that an import brings. Repeating it changes nothing.
 * @param stars from 0.25 to 5 in quarters
 * @returns false if the reader or a later import has given another rating, which stays
 */
export async function addImportedRating(
  app: AppContext,
  importing: Importing,
  bookId: string,
  stars: number,
): Promise<boolean> {
  const { userId, importId, condition } = importing;
  const quarters = quartersOf(stars) ?? null;
  const { shard } = await placeFor(app, ratingsId(bookId));
  const next = (before: RatingState | undefined, at: Date): Content<RatingState> | undefined => {
    const isDecided = isOwnWord(before) || (isRated(before) && isSaidLater(importing, before.import_id));
    const isSame = before?.quarters === quarters && before.import_id === importId;
    if (isDecided || isSame) return undefined;

    const given = { quarters, import_id: importId };
    if (isRated(before)) return { ...before, ...given };
    // Files are limited by the day, so their ratings are not counted by the hour.
    const { hour_began = null, hour_ratings = 0 } = before ?? {};
    return { ...given, rated_at: at, shard, hour_began, hour_ratings };
  };
  const { state } = await ratings.change(app, { userId, bookId }, undefined, next, condition);
  return state?.quarters === quarters;
}

/**
 * Takes back the rating that an import brought. Repeating it changes nothing that anybody sees.
 */
export async function removeImportedRating(
  app: AppContext,
  { userId, importId, condition }: Removing,
  bookId: string,
): Promise<void> {
  // The import stays in the state: a rating that it has brought may be brought again.
  const next = (state: RatingState | undefined) =>
    isRated(state) && state.import_id === importId ? { ...state, quarters: null } : undefined;
  await changeOrFence(app, ratings, { userId, bookId }, next, condition);
}
