import type { Room } from '../house/room.ts';
import { beginRanking, reviews } from './aggregate.ts';
import { reviewAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { rankReview } from './rank.ts';
import { resolvers } from './resolvers.ts';
import { bookOfReview, isReviewShown, reviewById, shownReview } from './operations.ts';

export const room = {
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
        bookOf: bookOfReview,
        afterCounting: beginRanking,
      },
    },
  },
  transactions: [reviews.transaction],
  jobs: { RANK_REVIEW: rankReview },
  audits: [reviewAudit],
  personalData,
} satisfies Room;
