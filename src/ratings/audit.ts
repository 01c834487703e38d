import type { Audit, Suspect } from '../audit/audit.ts';
import type { ComparedList } from '../aggregates/projected-list.ts';
import { projectionAudit } from '../audit/projection.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { parseSubject } from '../graphql/ids.ts';
import { jobsOf } from '../jobs/operations.ts';
import { auditedLikers, type ListedLiker } from '../member-sets/audit.ts';
import { bookOfRatings, ratingsId, ratingTables } from '../member-sets/operations.ts';
import { byRatedAt, ratings, type RatingKey } from './aggregate.ts';
import { selectRatingsAmong, type RatingState } from './tables.ts';

/** Audits the lists of rated books, and the ratings of each book, against the ratings. */

const RATERS = ratingTables.likersTable;

/** The row of a rating among the raters of its book. The audit of raters finds surplus rows. */
const raters: ComparedList<RatingKey, RatingState, undefined> = {
  table: RATERS,
  lacking: async (app, found) => {
    const lacks = await Promise.all(found.map((each) => lacksRater(app, each)));
    return found.filter((_, index) => lacks[index]);
  },
  wrong: async (app, of) => (of && (await lacksRater(app, of)) ? [WRONG] : []),
};

/** A change with a higher version updates the row of a rating to its state. */
const WRONG = { written: 0, isTooMany: false, remove: async () => undefined, afterRepair: async () => undefined };

/** Returns whether the row of a rating among the raters is missing or differs. */
async function lacksRater(
  app: AppContext,
  { key: { userId, bookId }, state }: { readonly key: RatingKey; readonly state: RatingState },
): Promise<boolean> {
  if (!state.rated_at || state.quarters === null) return false;
  const { rated_at: liked_at, shard } = state;
  const key = { likeable_id: ratingsId(bookId), shard, liked: true, liked_at, user_id: userId };
  return (await first(app.cassandra, ratingTables.selectLiker, key))?.quarters !== state.quarters;
}

const projected = projectionAudit(ratings, {
  kind: 'ratings',
  lists: [byRatedAt, raters],
  keyOf: ({ user_id, book_id }) => ({ userId: user_id, bookId: book_id }),
  behind: ({ userId }) => [{ type: 'User', key: userId }],
});

/** The raters of each book, and their counts and histograms. */
const ofBooks = auditedLikers(
  {
    tables: ratingTables,
    idOf: (likeableId) => {
      const id = parseSubject(likeableId);
      return id?.type === 'Book' ? ratingsId(id.key) : undefined;
    },
  },
  async (app, rater) => {
    const key = { userId: rater.user_id, bookId: bookOfRatings(rater.likeable_id) ?? '' };
    const stored = await first(app.cassandra, selectRatingsAmong, { user_id: key.userId, book_ids: [key.bookId] });
    return isRatedSo(stored?.state, rater) ? undefined : stale(app, key, rater);
  },
);

/** Returns whether a row among the raters is the rating in force. */
const isRatedSo = (state: RatingState | undefined, rater: Place & Pick<ListedLiker, 'quarters'>): boolean =>
  isInPlace(state, rater) && state?.quarters === rater.quarters;

type Place = Pick<ListedLiker, 'liked_at' | 'shard'>;

const isInPlace = (state: RatingState | undefined, { liked_at, shard }: Place) =>
  state?.quarters != null && state.rated_at?.getTime() === liked_at.getTime() && state.shard === shard;

const stale = (app: AppContext, key: RatingKey, rater: ListedLiker): Suspect => ({
  what: `the rating of ${key.bookId} by ${key.userId}, which the source of truth does not have`,
  look: async () => {
    const [state, row] = [await ratings.read(app, key), await rater.now()];
    if (!row || isRatedSo(state, { ...rater, ...row })) return [];
    return (await jobsOf(app, { type: 'User', key: key.userId })).length > 0 ? undefined : [RATERS];
  },
  // A row in its right place can only have a wrong rating. The next version of the state replaces
  // it.
  repair: async () => {
    if (isInPlace(await ratings.read(app, key), rater)) await ratings.repair(app, key);
    else await rater.remove();
  },
});

export const ratingAudit: Audit = { ...projected, tables: [...projected.tables, ofBooks] };
