import { onlyForSelf } from '../identity/privacy.ts';
import type { Cursor } from '../graphql/connections.ts';
import { existingBook } from '../catalogue/operations.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { recentlyViewedOf, recordView } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    ViewedBookEdge: { cursor: Cursor; viewedAt: Date; bookId: string };
  }
}

const nothing = { book: null, viewer: null };

export const resolvers = {
  Mutation: {
    recordView: (_mutation, { input }, context) => mutation(nothing, () => recordView(context, input)),
  },
  User: {
    recentlyViewed: onlyForSelf(recentlyViewedOf),
  },
  ViewedBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
} satisfies Resolvers;
