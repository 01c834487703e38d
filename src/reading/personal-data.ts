import pLimit from 'p-limit';
import { everyRow } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../erasure/personal-table.ts';
import { isTombstone } from '../aggregates/aggregate.ts';
import { forgetReading } from './aggregate.ts';
import { eraseByReadAt, eraseByTitle, eraseShelf, SHELVES, walkReadings, type ReadingRow } from './tables.ts';

const ROWS_PER_READ = 200;
const AT_ONCE = 16;

const someReadings = ({ cassandra }: AppContext, userId: string, after: string) =>
  rows(cassandra, walkReadings, { user_id: userId, book_id: after, rows_max: ROWS_PER_READ });

async function* readingsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  const every = everyRow<ReadingRow>(ROWS_PER_READ, (last) => someReadings(app, userId, last?.book_id ?? ''));
  for await (const { book_id, state } of every) {
    if (isTombstone(state)) continue;
    yield {
      book: book_id,
      marked: state.marked,
      reads: state.reads,
      history: state.history,
      changedAt: state.changed_at,
    };
  }
}

const follows = 'follows from readings_by_user, with the name or the order';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'books_read_by_user',
    exported: follows,
    erased: async ({ cassandra }, user_id) => {
      await write(cassandra, eraseByTitle, { user_id, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
  {
    table: 'books_read_by_user_by_read_at',
    exported: follows,
    erased: async ({ cassandra }, user_id) => {
      await write(cassandra, eraseByReadAt, { user_id, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
  {
    table: 'books_by_reading_status',
    exported: follows,
    erased: async ({ cassandra }, user_id) => {
      for (const status of SHELVES)
        await write(cassandra, eraseShelf, { user_id, status, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
  {
    table: 'readings_by_user',
    exported: readingsOfUser,
    erased: async (app, userId, after) => {
      const page = await someReadings(app, userId, after);
      await pLimit(AT_ONCE).map(page, ({ book_id }) => forgetReading(app, { userId, bookId: book_id }));
      return page.length < ROWS_PER_READ ? undefined : page.at(-1)?.book_id;
    },
  },
];
