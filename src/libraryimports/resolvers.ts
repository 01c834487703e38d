import { existingBook } from '../catalogue/operations.ts';
import type { CountedConnection, Cursor } from '../graphql/connections.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { onlyForSelf } from '../identity/privacy.ts';
import { mutation } from '../graphql/errors.ts';
import {
  importById,
  importsOf,
  mapImportShelf,
  publishImportedReviews,
  resolveImportRow,
  undoImport,
  type LibraryImport,
} from './operations.ts';
import { linesWith, progressOf, rowsOf } from './rows.ts';
import { statusForShelf } from './shelf-names.ts';
import type { ImportLineRow, ImportShelf } from './tables.ts';
import { unlistedBooksOf, type UnlistedBook, type UnlistedBookEdge } from './unlisted.ts';

declare module '../graphql/models.ts' {
  interface Models {
    LibraryImport: LibraryImport;
    LibraryImportEdge: { cursor: Cursor; importId: string };
    ImportShelf: ImportShelf;
    ImportRow: ImportLineRow;
    ImportRowEdge: { cursor: Cursor; node: ImportLineRow };
    UnlistedBook: UnlistedBook;
    UnlistedBookConnection: CountedConnection<UnlistedBookEdge>;
    UnlistedBookEdge: UnlistedBookEdge;
  }
}

const nothing = { libraryImport: null, viewer: null };

export const resolvers = {
  Mutation: {
    mapImportShelf: (_mutation, { input }, context) => mutation(nothing, () => mapImportShelf(context, input)),
    resolveImportRow: (_mutation, { input }, context) => mutation(nothing, () => resolveImportRow(context, input)),
    publishImportedReviews: (_mutation, { input }, context) =>
      mutation(nothing, () => publishImportedReviews(context, input)),
    undoImport: (_mutation, { input }, context) => mutation(nothing, () => undoImport(context, input)),
  },
  User: {
    libraryImports: onlyForSelf(importsOf),
    unlistedBooks: onlyForSelf((context, userId, { status, ...page }) =>
      unlistedBooksOf(context, userId, status, page),
    ),
  },
  LibraryImport: {
    id: ({ id }) => encodeId({ type: 'LibraryImport', key: id }),
    source: ({ state }) => state.source,
    status: ({ state }) => state.status,
    begunAt: ({ state }) => state.begun_at,
    lines: ({ state }) => state.lines,
    shelves: ({ state }) => state.shelves,
    reviews: ({ state }) => state.reviews,
    publishesReviews: ({ state }) => state.publishes_reviews,
    progress: (found, _args, context) => progressOf(context, found),
    pending: (found, _args, context) => linesWith(context, found, 'PENDING'),
    matched: (found, _args, context) => linesWith(context, found, 'MATCHED'),
    ambiguous: (found, _args, context) => linesWith(context, found, 'AMBIGUOUS'),
    unlisted: (found, _args, context) => linesWith(context, found, 'UNLISTED'),
    failed: (found, _args, context) => linesWith(context, found, 'FAILED'),
    notKept: (found, _args, context) => linesWith(context, found, 'NOT_KEPT'),
    rows: (found, { status, ...page }, context) => rowsOf(context, found, status, page),
  },
  ImportShelf: {
    isOwn: ({ name }) => statusForShelf(name) === null,
  },
  LibraryImportEdge: {
    node: ({ importId }, _args, context) => importById(context, importId),
  },
  UnlistedBook: {
    libraryImport: ({ importId }, _args, context) => importById(context, importId),
  },
  ImportRow: {
    reason: ({ reason }) => (reason === '' ? null : reason),
    book: ({ book_id }, _args, context) => (book_id === null ? null : existingBook(context, book_id)),
    candidates: ({ candidates }, _args, context) => candidates.map((bookId) => existingBook(context, bookId)),
  },
} satisfies Resolvers;
