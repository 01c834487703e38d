import { existingBook } from '../catalogue/operations.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { notedBooksOf, noteBook, viewerNote, type NotedBookEdge, type Note } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Note: Note;
    NotedBookEdge: NotedBookEdge;
  }
}

export const resolvers = {
  Query: {
    viewerNotes: (_query, page, context) =>
      context.viewerId === null ? null : notedBooksOf(context, context.viewerId, page),
  },
  Mutation: {
    noteBook: (_mutation, { input }, context) => mutation({ book: null }, () => noteBook(context, input)),
  },
  Book: {
    viewerNote: (book, _args, context) => viewerNote(context, book.id),
  },
  NotedBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
} satisfies Resolvers;
