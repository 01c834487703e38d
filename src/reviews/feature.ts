import { projectionAudit } from '../audit/projection.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import type { Feature } from '../feature/feature.ts';
import { authorNow, beginRanking, idOf, listsOfReviews, monthsOfReviews, reviews } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { rankReview, ranksNow, repairReview } from './rank.ts';
import { resolvers } from './resolvers.ts';
import { bookOfReview, isReviewShown, reviewById, shownReview } from './operations.ts';

/** The audit of the lists of reviews. */
const reviewAudit = projectionAudit(reviews, {
  kind: 'reviews',
  lists: [...listsOfReviews, monthsOfReviews],
  keyOf: ({ review_id }, state) => ({ reviewId: review_id, authorId: state?.author_id ?? LOWEST_UUID }),
  join: (app, found) =>
    ranksNow(
      app,
      found.map(({ key, state }) => idOf(key.reviewId, state)),
    ),
  behind: ({ reviewId }, state) => [
    ...(state ? [{ type: 'Review', key: idOf(reviewId, state) } as const] : []),
    ...(state?.author_id ? [{ type: 'User', key: state.author_id } as const] : []),
  ],
  repair: repairReview,
});

export const feature = {
  resolvers,
  nodeTypes: {
    Review: {
      find: shownReview,
      likeable: {
        kind: 'REVIEW',
        plural: 'reviews',
        likedSince: '1.1.0',
        findAny: reviewById,
        isShown: isReviewShown,
        readerOf: ({ authorId }) => authorId,
        bookOf: bookOfReview,
        notified: { kind: 'REVIEW_LIKED', ownerNow: authorNow },
        afterCounting: beginRanking,
      },
    },
  },
  transactions: [reviews.transaction],
  jobs: { RANK_REVIEW: rankReview },
  audits: [reviewAudit],
  personalData,
  viewerData: {
    writeReview: 'REVIEWS',
    deleteReview: 'REVIEWS',
  },
} satisfies Feature;
