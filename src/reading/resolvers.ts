import { existingBook } from '../catalogue/operations.ts';
import type { CountedConnection } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import { isShown, onlyForSelf } from '../identity/privacy.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import {
  markAsRead,
  readBooksOf,
  readEdgeOf,
  readerOf,
  setReadingStatus,
  unmarkAsRead,
  updateReading,
  type ReadBookConnection,
  type ReadBookEdge,
} from './operations.ts';
import { finishedOn, momentsOf, readingIdOf } from './reads.ts';
import type { Read } from './tables.ts';
import { shelfOf, startedOn, viewerReading, type Reading, type ShelfEdge } from './shelves.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Reading: Reading;
    FinishedReading: Read & { readonly bookId: string };
    ReadBookConnection: ReadBookConnection;
    ReadBookEdge: ReadBookEdge;
    ShelfConnection: CountedConnection<ShelfEdge>;
    ShelfEdge: ShelfEdge;
  }
}

const nothing = { book: null, viewer: null };

export const resolvers = {
  Mutation: {
    markAsRead: (_mutation, { input }, context) => mutation(nothing, () => markAsRead(context, input)),
    updateReading: (_mutation, { input }, context) => mutation(nothing, () => updateReading(context, input)),
    setReadingStatus: (_mutation, { input }, context) => mutation(nothing, () => setReadingStatus(context, input)),
    unmarkAsRead: (_mutation, { input }, context) => mutation(nothing, () => unmarkAsRead(context, input)),
  },
  ReadingPayload: {
    readEdge: ({ book }, { orderBy }, context) => (book ? readEdgeOf(context, book.id, orderBy) : null),
  },
  User: {
    readBooks: async (user, args, context) =>
      (await isShown(context, user.id, 'readings')) ? readBooksOf(context, user, args.orderBy, args) : null,
    shelf: onlyForSelf((context, userId, { status, ...page }) => shelfOf(context, userId, status, page)),
  },
  Book: {
    viewerReading: (book, _args, context) => viewerReading(context, book),
  },
  Reading: {
    startedOn: (reading, { timeZone }) => startedOn(reading, timeZone),
    finishedOn: ({ reads }, { timeZone }) => finishedOn(reads.at(-1), timeZone),
    reads: ({ reads }) => momentsOf(reads),
    readings: ({ bookId, reads }) => reads.map((read) => ({ ...read, bookId })).reverse(),
    history: ({ history }) =>
      history.map(({ status, progress, at }) => ({ status: status === 'NONE' ? null : status, progress, at })),
  },
  FinishedReading: {
    id: (read) => readingIdOf(read.bookId, read),
    readAt: ({ read_at }) => read_at,
    finishedOn: (read, { timeZone }) => finishedOn(read, timeZone),
    startedOn: ({ started_on }) => started_on,
  },
  ShelfEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
  ReadBookConnection: {
    readerFullName: (page, _args, context) => readerOf(context, page),
  },
  ReadBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
    readAt: ({ newest }) => newest.read_at,
    readOn: ({ newest }, { timeZone }) => finishedOn(newest, timeZone),
    finishedOn: ({ newest }, { timeZone }) => finishedOn(newest, timeZone),
    startedOn: ({ newest }) => newest.started_on,
  },
} satisfies Resolvers;
