import { eraseMonthly } from '../activity/months.ts';
import { page, each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { isTombstone } from '../aggregates/state.ts';
import { forgetReading } from './aggregate.ts';
import { eraseByReadAt, eraseByTitle, eraseReadInMonth, eraseShelf, selectReadings, SHELVES } from './tables.ts';

async function* readingsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { book_id, state } of each(cassandra, selectReadings, { user_id })) {
    if (isTombstone(state)) continue;
    yield {
      book: book_id,
      marked: state.marked,
      reads: state.reads.map(({ read_at, finished_on, started_on, noted_at }) => ({
        readAt: read_at,
        finishedOn: finished_on,
        startedOn: started_on,
        notedAt: noted_at,
      })),
      history: state.history,
      changedAt: state.changed_at,
    };
  }
}

const follows = 'a projection of readings_by_user, with the name or the order';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'books_read_by_user',
    exported: follows,
    erased: erasedBy(eraseByTitle, 'user_id'),
  },
  {
    table: 'books_read_by_user_by_read_at',
    exported: follows,
    erased: erasedBy(eraseByReadAt, 'user_id'),
  },
  {
    table: 'feed_readings_by_user',
    exported: 'has nothing that readings_by_user lacks',
    erased: (app, userId) => eraseMonthly(app, userId, 'feed', eraseReadInMonth),
  },
  {
    table: 'books_by_reading_status',
    exported: follows,
    erased: async ({ cassandra }, user_id) => {
      for (const status of SHELVES) await write(cassandra, eraseShelf, { user_id, status });
    },
  },
  {
    table: 'readers_by_book',
    exported: 'has nothing that readings_by_user lacks',
    erased: 'with readings_by_user',
  },
  {
    table: 'books_finished_by_year',
    exported: 'has nothing that readings_by_user lacks',
    erased: 'with readings_by_user',
  },
  {
    table: 'readings_by_user',
    exported: readingsOfUser,
    erased: async (app, userId, after) => {
      const some = await page(app.cassandra, selectReadings, { user_id: userId }, after);
      // Readings are erased one by one, because concurrent conditional writes in one partition
      // would contend.
      for (const { book_id } of some.rows) await forgetReading(app, { userId, bookId: book_id });
      return some.pageState;
    },
  },
];
