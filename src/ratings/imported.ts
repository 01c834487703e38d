import type { Content } from '../aggregates/state.ts';
import { changeOrFence, isFromLaterImport, type ImportContext, type RevertContext } from '../aggregates/importing.ts';
import type { AppContext } from '../context/context.ts';
import { placeFor, ratingsId } from '../member-sets/operations.ts';
import { ratings } from './aggregate.ts';
import { isRated } from './operations.ts';
import { quartersOf } from './stars.ts';
import type { RatingState } from './tables.ts';

/**
 * Ratings from a reader's imports. An import replaces the rating of an earlier import, and an undo
 * removes it. A rating that the reader has given on this server is kept.
 */

/** True if the reader has rated the book on this server, after any import. */
const isUserEdit = (state: RatingState | undefined): boolean => state?.rated_at != null && state.import_id === null;

/**
 * Adds the rating of an import. Repeating it changes nothing.
 * @param stars from 0.25 to 5 in quarters
 * @returns false if another rating, from the reader or from a later import, was kept
 */
export async function addImportedRating(
  app: AppContext,
  importing: ImportContext,
  bookId: string,
  stars: number,
): Promise<boolean> {
  const { userId, importId, condition } = importing;
  const quarters = quartersOf(stars) ?? null;
  const { shard } = await placeFor(app, ratingsId(bookId));
  const next = (before: RatingState | undefined, at: Date): Content<RatingState> | undefined => {
    const isDecided = isUserEdit(before) || (isRated(before) && isFromLaterImport(importing, before.import_id));
    const isSame = before?.quarters === quarters && before.import_id === importId;
    if (isDecided || isSame) return undefined;

    const given = { quarters, import_id: importId };
    if (isRated(before)) return { ...before, ...given };
    // Files have a limit per day, so their ratings are not counted per hour.
    const { hour_began = null, hour_ratings = 0 } = before ?? {};
    return { ...given, rated_at: at, shard, hour_began, hour_ratings };
  };
  const { state } = await ratings.change(app, { userId, bookId }, undefined, next, condition);
  return state?.quarters === quarters;
}

/** Removes the rating of an import. Repeating it has no visible effect. */
export async function removeImportedRating(
  app: AppContext,
  { userId, importId, condition }: RevertContext,
  bookId: string,
): Promise<void> {
  // The state keeps the id of the import, which may add its rating again.
  const next = (state: RatingState | undefined) =>
    isRated(state) && state.import_id === importId ? { ...state, quarters: null } : undefined;
  await changeOrFence(app, ratings, { userId, bookId }, next, condition);
}
