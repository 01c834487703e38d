import type { Connection } from '../graphql/connections.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { existingAccount } from '../identity/operations.ts';
import {
  bookOfEntry,
  feedOf,
  likeableOf,
  ratingOfEntry,
  reviewIn,
  type FeedEdge,
  type FeedEntry,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    FeedConnection: Connection<FeedEdge>;
    FeedEdge: FeedEdge;
    FeedEntry: FeedEntry;
  }
}

export const resolvers = {
  Query: {
    feed: (_query, page, context) => feedOf(context, page),
  },
  FeedEntry: {
    reader: ({ userId }, _args, context) => existingAccount(context, userId),
    likeable: (entry, _args, context) => likeableOf(context, entry),
    book: (entry, _args, context) => bookOfEntry(context, entry),
    rating: (entry) => ratingOfEntry(entry),
    review: (entry, _args, context) => reviewIn(context, entry),
  },
} satisfies Resolvers;
