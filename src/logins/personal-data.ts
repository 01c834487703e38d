import { eraseMonthly, monthsOf } from '../activity/months.ts';
import { EARLIEST, everyRow, LOWEST_UUID } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../erasure/personal-table.ts';
import { eraseDays, eraseHours, eraseLogins, selectLogins, type LoginRow } from './tables.ts';

const ROWS_PER_READ = 500;

async function* loginsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, userId, 'logins')) {
    for (const succeeded of [true, false]) {
      const every = everyRow<LoginRow>(ROWS_PER_READ, (last) => {
        const above = last ?? { at: EARLIEST, login_id: LOWEST_UUID };
        return rows(app.cassandra, selectLogins, {
          user_id: userId,
          month,
          succeeded,
          ...above,
          rows_max: ROWS_PER_READ,
        });
      });
      for await (const { at } of every) yield { at, succeeded };
    }
  }
}

const follows = 'a count of what logins_by_user has';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'logins_by_user',
    exported: loginsOfUser,
    erased: (app, userId) => eraseMonthly(app, userId, 'logins', eraseLogins),
  },
  {
    table: 'logins_by_user_hour',
    exported: follows,
    erased: (app, userId) => eraseMonthly(app, userId, 'logins', eraseHours),
  },
  {
    table: 'logins_by_user_day',
    exported: follows,
    erased: async ({ cassandra }, user_id) => {
      await write(cassandra, eraseDays, { user_id, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
];
