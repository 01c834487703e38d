import { sizeOf } from '../cassandra/budget.ts';
import { RecentRows, sharedLoader } from '../cassandra/recent-rows.ts';
import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perProcess, perRequest, type AppContext } from '../context/context.ts';
import { bookOf, isMade } from './book.ts';
import { selectBooks } from './tables.ts';

/** So many books are kept: two kilobytes each at most, as a rule. */
const BOOKS_KEPT = 10_000;

/** Books as they are, or were a moment ago; none where there only was somebody who wanted to add it. */
export const recentBooks = perProcess(({ cassandra, config, steady, atEndOfTurn }) => {
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
  return new RecentRows(read, { milliseconds: config.shownAgeMaxMs, rowsMax: BOOKS_KEPT, steady });
});

/** Books as they were a moment ago. That there is none is found out each time: what has just been added is asked for at once. */
export const bookLoader = perRequest((context) => {
  const recent = recentBooks(context);
  return sharedLoader(context, (bookId) => {
    const kept = recent.kept(bookId);
    if (kept instanceof Promise) return kept.then((found) => (found.row ? found : recent.read(bookId)));
    return kept?.row ? kept : recent.read(bookId);
  });
});

/** After a change waits until no server shows any more what was before. */
export async function untilShown({ cassandra, config, steady }: AppContext): Promise<void> {
  const shownAt = steady() + config.shownAgeMaxMs;
  while (steady() < shownAt) await cassandra.backOff(config.shownAgeMaxMs);
}
