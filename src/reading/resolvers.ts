import { existingBook } from '../catalogue/operations.ts';
import { mutation } from '../errors.ts';
import type { Resolvers } from '../schema.generated.ts';
import { markAsRead, readBooksOf, readerOf, unmarkAsRead } from './operations.ts';

const nothing = { book: null, viewer: null };

export const resolvers: Resolvers = {
  Mutation: {
    markAsRead: (_mutation, { input }, context) => mutation(nothing, () => markAsRead(context, input)),
    unmarkAsRead: (_mutation, { input }, context) => mutation(nothing, () => unmarkAsRead(context, input)),
  },
  User: {
    readBooks: (user, args, context) => readBooksOf(context, user, args.orderBy, args),
  },
  ReadBookConnection: {
    readerFullName: (page, _args, context) => readerOf(context, page),
  },
  ReadBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
};
