import { existingBook } from '../catalogue/operations.ts';
import { mutation } from '../errors.ts';
import type { Resolvers } from '../schema.generated.ts';
import { recentlyViewedOf, recordView } from './operations.ts';

const nothing = { book: null, viewer: null };

export const resolvers: Resolvers = {
  Mutation: {
    recordView: (_mutation, { input }, context) => mutation(nothing, () => recordView(context, input)),
  },
  User: {
    recentlyViewed: (user, args, context) =>
      user.id === context.viewerId ? recentlyViewedOf(context, user.id, args) : null,
  },
  ViewedBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
};
