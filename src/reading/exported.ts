import { each } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/schema.generated.ts';
import { dayAt } from '../time/days.ts';
import { readsIn } from './aggregate.ts';
import { selectReadings } from './tables.ts';

/** The readings of a reader, as they are written for other services: by days, in UTC. */

/** A book that a reader has a status for. */
export interface OwnBook {
  readonly book: Book;
  readonly status: ReadingStatus;
  /** In percent. */
  readonly progress: number;
  readonly since: string;
  /** The readings, oldest first; an unknown day is null. */
  readonly reads: readonly { readonly startedOn: string | null; readonly finishedOn: string | null }[];
}

const BOOKS_AT_ONCE = 100;

/** Yields the books of a reader in no order, even those that were removed from the catalogue. */
export async function* ownBooks(app: AppContext, userId: string): AsyncGenerator<OwnBook> {
  let some: (Omit<OwnBook, 'book'> & { readonly bookId: string })[] = [];
  for await (const { book_id: bookId, state } of each(app.cassandra, selectReadings, { user_id: userId })) {
    const last = state.history.at(-1);
    if (!last || last.status === 'NONE') continue;

    const reads = readsIn(state).map(({ read_at, finished_on, started_on }) => ({
      startedOn: started_on,
      finishedOn: finished_on ?? (read_at && dayAt(read_at)),
    }));
    some.push({ bookId, status: last.status, progress: last.progress, since: dayAt(last.at), reads });
    if (some.length === BOOKS_AT_ONCE) {
      yield* withTheirBooks(app, some);
      some = [];
    }
  }
  yield* withTheirBooks(app, some);
}

async function* withTheirBooks(
  app: AppContext,
  some: readonly (Omit<OwnBook, 'book'> & { readonly bookId: string })[],
): AsyncGenerator<OwnBook> {
  const books = await booksNow(
    app,
    some.map(({ bookId }) => bookId),
  );
  for (const { bookId, ...said } of some) {
    const book = books.get(bookId);
    if (book) yield { ...said, book };
  }
}
