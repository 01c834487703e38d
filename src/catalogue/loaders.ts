import { sizeOf } from '../cassandra/budget.ts';
import { keptRow, RecentRows, sharedLoader } from '../cassandra/recent-reads.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import { shownFor } from '../context/shown.ts';
import type { ListedNode } from '../graphql/connections.ts';
import { bookOf, isMade } from './book.ts';
import { selectBooks } from './tables.ts';

/** The number of books kept, usually at most two kilobytes each. */
const BOOKS_KEPT = 10_000;

/** Loads books as they are or were a moment ago. A mere attempt to add a book gives none. */
export const recentBooks = perProcess((app) => {
  const { cassandra, atEndOfTurn } = app;
  const books = rowLoader(
    async (book_ids) => {
      const found = await rows(cassandra, selectBooks, { book_ids });
      return found.filter(({ state }) => isMade(state)).map((row) => ({ row, book: bookOf(row.book_id, row.state) }));
    },
    ({ row }) => row.book_id,
    { atEndOfTurn },
  );
  const read = async (bookId: string) => {
    const found = await books.load(bookId);
    return { row: found?.book, size: sizeOf(found ? [found.row] : []) };
  };
  return new RecentRows(read, { ...shownFor(app), rowsMax: BOOKS_KEPT });
});

/** Loads books for a request, as they were a moment ago. */
export const bookLoader = perRequest((context) => {
  const recent = recentBooks(context);
  return sharedLoader(context, { kept: (bookId) => keptRow(recent, bookId), read: (bookId) => recent.read(bookId) });
});

/** Reads the books of a page of nodes that are not known by their rows. */
export const readBooksAhead = (context: RequestContext, nodes: readonly ListedNode[]): Promise<void> =>
  bookLoader(context).ahead(nodes.flatMap(({ type, key, known }) => (type === 'Book' && !known ? key : [])));
