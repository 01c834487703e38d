import { existingLikeable } from '../likes/operations.ts';
import type { Resolvers } from '../schema.generated.ts';
import { activityOf, trendingIn } from './operations.ts';

export const resolvers: Resolvers = {
  Query: {
    trending: (_query, { window, of, ...page }, context) =>
      trendingIn(context, window, of === 'BOOK' ? 'Book' : of === 'ITEM' ? 'Item' : 'Likeable', page),
  },
  TrendingEdge: {
    node: ({ node }, _args, context) => existingLikeable(context, node),
  },
  Book: {
    activity: (book, args, context) => activityOf(context, book, args),
  },
  ActivityPoint: {
    likes: ({ counts }) => counts.LIKE,
    views: ({ counts }) => counts.VIEW,
    reads: ({ counts }) => counts.READ,
    sales: ({ counts }) => counts.SALE,
  },
};
