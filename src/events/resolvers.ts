import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { activityOf, siteActivity, type ActivityPoint } from './operations.ts';
import { eventsOf, type EventEdge } from './raw-events.ts';
import { trendingIn, type TrendingEdge } from './trending.ts';

declare module '../graphql/models.ts' {
  interface Models {
    TrendingEdge: TrendingEdge;
    ActivityPoint: ActivityPoint;
    EventEdge: EventEdge;
  }
}

/** The types of trending lists. The list of type `BookList` is never written, so it is empty. */
const TRENDING = { BOOK: 'Book', ITEM: 'Item', LIST: 'BookList', REVIEW: 'Review', ALL: 'Likeable' } as const;

export const resolvers = {
  Query: {
    siteActivity: (_query, args, context) => siteActivity(context, args),
    events: (_query, args, context) => eventsOf(context, args),
    trending: (_query, { window, of, ...page }, context) => trendingIn(context, window, TRENDING[of ?? 'ALL'], page),
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
} satisfies Resolvers;
