import { monthsOf, monthsToErase } from '../activity/operations.ts';
import { EARLIEST } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../personal-data.ts';
import { eraseDays, eraseHours, eraseLogins, selectLogins } from './tables.ts';

const ROWS_PER_READ = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

async function* loginsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, userId, 'logins')) {
    for (const succeeded of [true, false]) {
      let above = { at: EARLIEST, login_id: FIRST_ID };
      for (;;) {
        const slice = { user_id: userId, month, succeeded, ...above, rows_max: ROWS_PER_READ };
        const found = await rows(app.cassandra, selectLogins, slice);
        for (const { at } of found) yield { at, succeeded };
        const last = found.at(-1);
        if (!last || found.length < ROWS_PER_READ) break;
        above = last;
      }
    }
  }
}

const follows = 'a count of what logins_by_user has';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'logins_by_user',
    exported: loginsOfUser,
    erased: async (app, user_id) => {
      for (const month of await monthsToErase(app, user_id, 'logins'))
        await write(app.cassandra, eraseLogins, { user_id, month, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
  {
    table: 'logins_by_user_hour',
    exported: follows,
    erased: async (app, user_id) => {
      for (const month of await monthsToErase(app, user_id, 'logins'))
        await write(app.cassandra, eraseHours, { user_id, month, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
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
