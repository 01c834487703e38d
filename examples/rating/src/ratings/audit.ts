import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { rows } from '../cassandra/statement.ts';
import { ratings, type RatingKey } from './aggregate.ts';
import { rowsOfRatedBooks, scanRatings, selectRatingsAmong, type RatingState } from './tables.ts';

/** Audits the lists of rated books against the ratings. */

const keyOf = ({ user_id, book_id }: { readonly user_id: string; readonly book_id: string }): RatingKey => ({
  userId: user_id,
  bookId: book_id,
});

const byRatedAt: ProjectedList<RatingKey, RatingState, undefined> = projectedList({
  rows: rowsOfRatedBooks,
  rowsOf: ({ userId, bookId }, { stars, rated_at }) =>
    stars === null || !rated_at ? [] : [{ user_id: userId, rated_at, book_id: bookId, stars }],
  keyOf,
});

export const ratingAudit: Audit = projectionAudit(
  {
    kind: 'ratings',
    table: 'ratings_by_user',
    partition: ['user_id'],
    ring: scanRatings,
    keyOf,
    nameOf: ({ userId, bookId }) => `user_id = ${userId} AND book_id = ${bookId}`,
    find: async ({ cassandra }, keys) => {
      const byReader = Map.groupBy(keys, ({ userId }) => userId);
      const found = await Promise.all(
        [...byReader].map(async ([user_id, ofReader]) => {
          const book_ids = ofReader.map(({ bookId }) => bookId);
          const states = await rows(cassandra, selectRatingsAmong, { user_id, book_ids });
          return states.map(({ book_id, state }) => ({ key: keyOf({ user_id, book_id }), state }));
        }),
      );
      return found.flat();
    },
    read: ratings.read,
    about: () => Promise.resolve(undefined),
    behind: ({ userId }) => [{ type: 'User', key: userId }],
    repair: ratings.repair,
  },
  [byRatedAt],
);
