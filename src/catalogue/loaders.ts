import { sizeOf } from '../cassandra/bytes.ts';
import { keptRow, sharedLoader } from '../cassandra/recent-reads.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import type { ListedNode } from '../graphql/connections.ts';
import { bookOf, isMade } from './book.ts';
import { selectBestEditions, selectBooks } from './tables.ts';

/** The maximum memory of the cached books. A book takes about a kilobyte. */
const BOOKS_BYTES_MAX = 24 * 2 ** 20;

/** Loads books, at most a moment old. An abandoned attempt to add a book is not a book. */
export const keptBooks = perProcess((app) => {
  const { cassandra, atEndOfTurn } = app;
  const books = rowLoader(
    async (book_ids) => {
      const found = await rows(cassandra, selectBooks, { book_ids });
      return found.filter(({ state }) => isMade(state)).map((row) => ({ row, book: bookOf(row.book_id, row.state) }));
    },
    ({ row }) => row.book_id,
    { atEndOfTurn },
  );
  return keptUntilChanged(app, 'BOOK', { bytesMax: BOOKS_BYTES_MAX }, async (bookId) => {
    const found = await books.load(bookId);
    return { row: found?.book, size: sizeOf(found ? [found.row] : []) };
  });
});

const loaderOfKept = (context: RequestContext) => {
  const kept = keptBooks(context);
  return sharedLoader(context, { kept: (bookId) => keptRow(kept, bookId), read: (bookId) => kept.read(bookId) });
};

/**
 * Loads books for a request, at most a moment old. The books that a search has found are without
 * their descriptions.
 */
export const bookLoader = perRequest((context) => loaderOfKept(context));

/** Loads books with their descriptions. */
export const describedBookLoader = perRequest((context) => loaderOfKept(context));

/** Prefetches the books of a page of nodes, except books that are known from their rows. */
export const readBooksAhead = (context: RequestContext, nodes: readonly ListedNode[]): Promise<void> =>
  bookLoader(context).ahead(nodes.flatMap(({ type, key, known }) => (type === 'Book' && !known ? key : [])));

/** Loads the most popular edition of each work. */
export const bestEditionLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (work_ids) => rows(cassandra, selectBestEditions, { work_ids, rows_max: 1 }),
    ({ work_id }) => work_id,
  ),
);
