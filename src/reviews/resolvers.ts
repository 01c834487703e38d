import { existingBook } from '../catalogue/operations.ts';
import type { CountedConnection } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { accountById } from '../identity/operations.ts';
import { shownReader } from '../identity/privacy.ts';
import {
  deleteReview,
  formerTextsOf,
  ratingOfAuthor,
  reviewsBy,
  reviewOf,
  reviewsOf,
  viewerReview,
  writeReview,
  type Review,
  type ReviewAnswer,
  type ReviewEdge,
  type ReviewText,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Review: Review;
    ReviewText: ReviewText;
    ReviewPayload: ReviewAnswer;
    ReviewConnection: CountedConnection<ReviewEdge>;
    ReviewEdge: ReviewEdge;
  }
}

const nothing = { review: null, book: null, viewerId: null, changed: false };

export const resolvers = {
  Mutation: {
    writeReview: (_mutation, { input }, context) => mutation(nothing, () => writeReview(context, input)),
    deleteReview: (_mutation, { input }, context) => mutation(nothing, () => deleteReview(context, input)),
  },
  ReviewPayload: {
    // There is no viewer id either if the mutation was refused before it began.
    viewer: ({ viewerId }, _args, context) => (viewerId == null ? null : accountById(context, viewerId)),
  },
  Review: {
    id: ({ id }) => encodeId({ type: 'Review', key: id }),
    book: ({ bookId }, _args, context) => existingBook(context, bookId),
    author: ({ authorId }, _args, context) => (authorId === null ? null : shownReader(context, authorId)),
    rating: (review, _args, context) => ratingOfAuthor(context, review),
    history: (review, _args, context) => formerTextsOf(context, review),
  },
  ReviewEdge: {
    node: (edge, _args, context) => reviewOf(context, edge),
  },
  Book: {
    viewerReview: (book, _args, context) => viewerReview(context, book.id),
    reviews: (book, { orderBy, ...page }, context) => reviewsOf(context, book.id, orderBy, page),
  },
  User: {
    reviews: async (user, page, context) =>
      (await shownReader(context, user.id)) ? reviewsBy(context, user.id, page) : null,
  },
} satisfies Resolvers;
