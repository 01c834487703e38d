import { RecentRows, sharedLoader } from '../cassandra/recent-rows.ts';
import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perProcess, perRequest, type AppContext } from '../context/context.ts';
import { selectBooks } from './tables.ts';

/** So many books are kept: two kilobytes each at most, as a rule. */
const BOOKS_KEPT = 10_000;

const recentBooks = perProcess(({ cassandra, config, steady, atEndOfTurn }) => {
  const books = rowLoader(
    (book_ids) => rows(cassandra, selectBooks, { book_ids }),
    (row) => row.book_id,
    { atEndOfTurn },
  );
  return new RecentRows((bookId: string) => books.load(bookId), {
    milliseconds: config.shownAgeMaxMs,
    rowsMax: BOOKS_KEPT,
    steady,
  });
});

/** Books as they were a moment ago. That there is none is found out each time: what has just been added is asked for at once. */
export const bookLoader = perRequest((context) => {
  const recent = recentBooks(context);
  const bookOfLate = async (bookId: string) => (await recent.kept(bookId)) ?? recent.read(bookId);
  return sharedLoader(context, bookOfLate, (row) => [row]);
});

/** A book as it is now: it is read after this is called, by one statement with those that are asked for at the same moment. */
export const bookRowNow = (app: AppContext, bookId: string) => recentBooks(app).read(bookId);

/** After a change waits until no server shows any more what was before. */
export async function untilShown({ cassandra, config, steady }: AppContext): Promise<void> {
  const shownAt = steady() + config.shownAgeMaxMs;
  while (steady() < shownAt) await cassandra.backOff(config.shownAgeMaxMs);
}
