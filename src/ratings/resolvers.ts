import { existingBook } from '../catalogue/operations.ts';
import type { CountedConnection } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { accountById } from '../identity/operations.ts';
import { isShown } from '../identity/privacy.ts';
import {
  ratedBooksOf,
  rateBook,
  ratingTallyOf,
  unrateBook,
  viewerRating,
  type RatedBookEdge,
  type RatingAnswer,
  type RatingTally,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    RatingPayload: RatingAnswer;
    RatingTally: RatingTally;
    RatedBookConnection: CountedConnection<RatedBookEdge>;
    RatedBookEdge: RatedBookEdge;
  }
}

const nothing = { book: null, viewerId: null, changed: false };

export const resolvers = {
  Mutation: {
    rateBook: (_mutation, { input }, context) => mutation(nothing, () => rateBook(context, input)),
    unrateBook: (_mutation, { input }, context) => mutation(nothing, () => unrateBook(context, input)),
  },
  RatingPayload: {
    // There is no viewer id either if the mutation was refused before it began.
    viewer: ({ viewerId }, _args, context) => (viewerId == null ? null : accountById(context, viewerId)),
  },
  Book: {
    viewerRating: (book, _args, context) => viewerRating(context, book.id),
    ratingTally: (book, _args, context) => ratingTallyOf(context, book.id),
  },
  User: {
    ratings: async (user, page, context) =>
      (await isShown(context, user.id, 'readings')) ? ratedBooksOf(context, user.id, page) : null,
  },
  RatedBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
} satisfies Resolvers;
