import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { rows } from '../cassandra/statement.ts';
import type { NodeId } from '../graphql/ids.ts';
import { idOf, partitionOf, reviews } from './aggregate.ts';
import { rankReview, ranksNow } from './rank.ts';
import {
  reviewStates,
  rowsByLikes,
  rowsOfBook,
  rowsOfReader,
  scanReviews,
  selectReviews,
  type ReviewState,
} from './tables.ts';

/** Audits the lists of reviews against the reviews. */

/** The rank of each review, by its likes. */
type Ranks = ReadonlyMap<string, number>;

/** A list of reviews, by review id. */
type List = ProjectedList<string, ReviewState, Ranks>;

const keyOf = ({ review_id }: { readonly review_id: string }): string => review_id;

/** The row of a review in each list; none if it is deleted. */
const rowsOf = (reviewId: string, state: ReviewState, ranks: Ranks) => {
  const { author_id, written_at } = state;
  if (author_id === null) return [];
  const like_rank = ranks.get(reviewId) ?? 0;
  return [{ ...partitionOf(state), user_id: author_id, written_at, review_id: reviewId, like_rank }];
};

const lists: List[] = [
  projectedList({ rows: rowsOfBook, rowsOf, keyOf }),
  projectedList({ rows: rowsByLikes, rowsOf, keyOf }),
  projectedList({ rows: rowsOfReader, rowsOf, keyOf, readerOf: ({ user_id }) => user_id }),
];

export const reviewAudit: Audit = projectionAudit(
  {
    kind: 'reviews',
    table: 'reviews',
    partition: ['review_id'],
    ring: scanReviews,
    keyOf,
    nameOf: (reviewId) => `review_id = ${reviewId}`,
    find: async ({ cassandra }, reviewIds) => {
      const found = await rows(cassandra, selectReviews, { review_ids: reviewIds });
      return found.map(({ review_id, state }) => ({ key: review_id, state }));
    },
    read: ({ cassandra }, review_id) => reviewStates.read(cassandra, { review_id }),
    about: async (app, found) => {
      const ranks = await ranksNow(
        app,
        found.map(({ key, state }) => idOf(key, state)),
      );
      return new Map(found.map(({ key }, index) => [key, ranks[index] ?? 0]));
    },
    behind: (reviewId, state) => [
      ...(state ? [subject('Review', idOf(reviewId, state))] : []),
      ...(state?.author_id ? [subject('User', state.author_id)] : []),
    ],
    repair: async (app, reviewId, above) => {
      const read = () => reviewStates.read(app.cassandra, { review_id: reviewId });
      const before = await read();
      if (before) await rankReview(app, idOf(reviewId, before), '', '');
      const state = await read();
      // A review that was deleted has no row in the lists.
      return reviews.repair(app, { reviewId, authorId: state?.author_id ?? LOWEST_UUID }, above);
    },
  },
  lists,
);

const subject = (type: 'Review' | 'User', key: string): NodeId => ({ type, key });
