import { existingBook } from '../catalogue/operations.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { ratedBooksOf, rateBook, viewerRating, type RatedBookEdge, type Rating } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Rating: Rating;
    RatedBookEdge: RatedBookEdge;
  }
}

export const resolvers = {
  Query: {
    viewerRatings: (_query, page, context) =>
      context.viewerId === null ? null : ratedBooksOf(context, context.viewerId, page),
  },
  Mutation: {
    rateBook: (_mutation, { input }, context) => mutation({ book: null }, () => rateBook(context, input)),
  },
  Book: {
    viewerRating: (book, _args, context) => viewerRating(context, book.id),
  },
  RatedBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
} satisfies Resolvers;
