import { eraseMonthly, monthsOf } from '../activity/months.ts';
import { each } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseDays, eraseHours, eraseLogins, selectLogins } from './tables.ts';

async function* loginsOfUser(app: AppContext, user_id: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, user_id, 'logins'))
    for await (const { at, succeeded } of each(app.cassandra, selectLogins, { user_id, month }))
      yield { at, succeeded };
}

const follows = 'counts of the rows of logins_by_user';

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
    erased: erasedBy(eraseDays, 'user_id'),
  },
];
