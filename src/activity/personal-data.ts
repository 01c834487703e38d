import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseMonthly, MONTHLY_LISTS, monthsOf } from './months.ts';
import { eraseActions, eraseMonths, selectActions } from './tables.ts';

async function* actionsOfUser(app: AppContext, user_id: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, user_id, 'actions'))
    for await (const { at, kind, subject_id } of each(app.cassandra, selectActions, { user_id, month }))
      yield { at, kind, subject: subject_id };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'actions_by_user',
    exported: actionsOfUser,
    erased: (app, userId) => eraseMonthly(app, userId, 'actions', eraseActions),
  },
  {
    table: 'months_by_user',
    exported: 'says only in which months the other lists have something',
    erased: async ({ cassandra }, user_id) => {
      for (const list of MONTHLY_LISTS) await write(cassandra, eraseMonths, { user_id, list });
    },
  },
];
