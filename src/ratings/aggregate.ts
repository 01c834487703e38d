import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { feedMonthRows, feedMonthsPart } from '../activity/feed-months.ts';
import { listedMonths } from '../activity/months.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { projectedList, requiredRows } from '../aggregates/projected-list.ts';
import { sendTogether } from '../cassandra/batches.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { groupCommit, ratingsId } from '../member-sets/operations.ts';
import { monthOf } from '../time/units.ts';
import { ratedBooks, ratedInMonth, ratingStates, type RatingState } from './tables.ts';

/** The kind of a rating: its key, its states and what is projected from them. */

const ratingKey = z.strictObject({ userId: uuid, bookId: z.string() });
export type RatingKey = z.infer<typeof ratingKey>;

/** The list of a reader's ratings. */
export const byRatedAt = projectedList(ratedBooks, {
  rowsOf: ({ userId, bookId }: RatingKey, { quarters, rated_at }: RatingState) =>
    quarters === null || !rated_at ? [] : [{ user_id: userId, rated_at, book_id: bookId, quarters }],
  formerKeysOf: ({ userId, bookId }, { rated_at }) =>
    rated_at ? [{ user_id: userId, rated_at, book_id: bookId }] : [],
});

/** Returns true for a rating that its reader gave or changed on this server. */
const isOwn = ({ quarters, rated_at, import_id }: RatingState): boolean =>
  quarters !== null && rated_at !== null && import_id === null;

const placeInMonth = ({ userId, bookId }: RatingKey, rated_at: Date) => ({
  user_id: userId,
  month: monthOf(rated_at),
  rated_at,
  book_id: bookId,
});

/** The ratings that followers see. A changed rating keeps its place. */
export const byMonth = projectedList(ratedInMonth, {
  rowsOf: (key: RatingKey, state: RatingState) =>
    isOwn(state) && state.rated_at ? [{ ...placeInMonth(key, state.rated_at), quarters: state.quarters ?? 0 }] : [],
  // A rating never becomes one of an import, so that of an import never had a row.
  formerKeysOf: (key, { rated_at, import_id }) => (rated_at && import_id === null ? [placeInMonth(key, rated_at)] : []),
});

/** The months of a reader's own ratings, for feeds. */
export const monthsOfRatings = requiredRows(listedMonths, {
  rowsOf: ({ userId }: RatingKey, state: RatingState) =>
    isOwn(state) && state.rated_at ? feedMonthRows(userId, [state.rated_at]) : [],
});

/** The source of truth for every rating, and what is projected from it. */
export const ratings = aggregate({
  name: 'rating',
  key: ratingKey,
  table: ratingStates,
  rowKey: ({ userId, bookId }) => ({ user_id: userId, book_id: bookId }),
  tombstone: {
    quarters: null,
    rated_at: null,
    shard: 0,
    hour_began: null,
    hour_ratings: 0,
    import_id: null,
  },
  projectionContext: (app, { userId }) => accountNow(app, userId),
  erase: forgetRating,
  // The state of a new rating no longer has the moment of the former rating, which its rows in the
  // lists are under.
  needsFormerProjection: (former, next) => former.rated_at?.getTime() !== next.rated_at?.getTime(),
  projections: (app, key, state, _owner, { decidedSince }) => {
    const { userId, bookId } = key;
    const { quarters, version, rated_at } = state;
    if (!rated_at) return [];

    const shown = quarters === null ? undefined : { quarters };
    const newSince = newSinceOf(state, decidedSince);
    const change = { userId, version, likedAt: rated_at, shown, newSince };
    return async (step) => {
      const raters = await step('raters', () => groupCommit(app).commit(ratingsId(bookId), state.shard, change));
      const writes = [byRatedAt, byMonth].flatMap((list) => list.writes(key, state, undefined));
      const lists = () =>
        sendTogether(app.cassandra, [{ writes }, feedMonthsPart(app, userId, isOwn(state) ? [rated_at] : [])]);
      await Promise.all([step('count', () => raters.published), step('lists', lists)]);
    };
  },
});

/**
 * Returns the earliest moment from which data of a rating can exist: its decision. Unset for a
 * rating that was changed or taken back, because its data is older.
 */
const newSinceOf = ({ quarters, rated_at, changed_at }: RatingState, decidedSince: number | undefined) =>
  quarters !== null && rated_at?.getTime() === changed_at.getTime() ? decidedSince : undefined;

/**
 * Takes back and forgets a rating of a deleted account; the reader's list is erased as a whole. It
 * may be repeated at any time.
 */
export function forgetRating(app: AppContext, key: RatingKey): Promise<void> {
  return ratings.forget(app, key, async (state) => {
    const { rated_at: likedAt, version } = state;
    if (!likedAt) return;
    // The writes of a process that still projects the former state have a lower version, so they
    // change nothing.
    const takenBack = { userId: key.userId, version: version + 1, likedAt, shown: undefined };
    await groupCommit(app).apply(ratingsId(key.bookId), state.shard, takenBack);
  });
}
