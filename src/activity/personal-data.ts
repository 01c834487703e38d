import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { actionMonthsOf, yearOf } from './log.ts';
import { MONTHLY_LISTS, monthsOfNow } from './months.ts';
import { eraseActionMonths, eraseActions, eraseActionsByKind, eraseMonths, selectActions } from './tables.ts';

async function* actionsOfUser(app: AppContext, user_id: string): AsyncGenerator<object> {
  for (const month of await actionMonthsOf(app, user_id))
    for await (const { at, kind, subject_id, element } of each(app.cassandra, selectActions, { user_id, month }))
      yield { at, kind, subject: subject_id, element };
}

const monthsToErase = async (app: AppContext, userId: string) => [
  ...(await actionMonthsOf(app, userId)),
  ...monthsOfNow(app),
];

export const personalData: readonly PersonalTable[] = [
  {
    table: 'actions_by_user',
    exported: actionsOfUser,
    erased: async (app, user_id) => {
      for (const month of await monthsToErase(app, user_id))
        await write(app.cassandra, eraseActions, { user_id, month });
      return undefined;
    },
  },
  {
    table: 'actions_by_user_by_kind',
    exported: 'the rows of actions_by_user',
    erased: async (app, user_id) => {
      const months = await monthsToErase(app, user_id);
      for (const year of new Set(months.map(yearOf))) await write(app.cassandra, eraseActionsByKind, { user_id, year });
      return undefined;
    },
  },
  {
    table: 'action_months_by_user',
    exported: 'contains only the months in which the activity log has rows',
    erased: erasedBy(eraseActionMonths, 'user_id'),
  },
  {
    table: 'months_by_user',
    exported: 'contains only the months in which the other lists have rows',
    erased: async ({ cassandra }, user_id) => {
      for (const list of MONTHLY_LISTS) await write(cassandra, eraseMonths, { user_id, list });
    },
  },
];
