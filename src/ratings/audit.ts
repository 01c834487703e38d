import type { Audit } from '../audit/audit.ts';
import { projectionAudit } from '../audit/projection.ts';
import { first } from '../cassandra/statement.ts';
import { parseSubject } from '../graphql/ids.ts';
import { auditedLikers, auditOfLikers } from '../member-sets/audit.ts';
import { bookOfRatings, ratingsId, ratingTables } from '../member-sets/operations.ts';
import { byRatedAt, ratings, type RatingKey } from './aggregate.ts';
import { selectRatingsAmong, type RatingState } from './tables.ts';

/** Audits the lists of rated books, and the ratings of each book, against the ratings. */

/** The raters of each book, and their counts and histograms. */
const raters = auditOfLikers({
  tables: ratingTables,
  idOf: (likeableId) => {
    const id = parseSubject(likeableId);
    return id?.type === 'Book' ? ratingsId(id.key) : undefined;
  },
  states: ratings,
  keyOf: ({ likeable_id, user_id }) => ({ userId: user_id, bookId: bookOfRatings(likeable_id) ?? '' }),
  find: async ({ cassandra }, { userId, bookId }) =>
    (await first(cassandra, selectRatingsAmong, { user_id: userId, book_ids: [bookId] }))?.state,
  rowOf: ({ userId, bookId }: RatingKey, { quarters, rated_at: liked_at, shard }: RatingState) =>
    liked_at
      ? { likeable_id: ratingsId(bookId), shard, liked: quarters !== null, liked_at, user_id: userId, quarters }
      : undefined,
});

const projected = projectionAudit(ratings, {
  kind: 'ratings',
  lists: [byRatedAt, raters.compared],
  keyOf: ({ user_id, book_id }) => ({ userId: user_id, bookId: book_id }),
  behind: ({ userId }) => [{ type: 'User', key: userId }],
});

export const ratingAudit: Audit = {
  ...projected,
  tables: [...projected.tables, auditedLikers(ratingTables, () => raters.likers)],
};
