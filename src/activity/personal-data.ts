import { HIGHEST_TEXT, LATEST, EARLIEST } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../personal-data.ts';
import { monthsOf, monthsToErase, type MonthlyList } from './operations.ts';
import { eraseActions, eraseMonths, selectActionsDescending } from './tables.ts';

const ROWS_PER_READ = 500;
const LISTS: readonly MonthlyList[] = ['actions', 'sessions', 'security_events', 'logins'];

async function* actionsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, userId, 'actions')) {
    let below = { below_at: LATEST, below_kind: HIGHEST_TEXT, below_subject_id: HIGHEST_TEXT };
    for (;;) {
      const slice = { user_id: userId, month, ...below, at_least: EARLIEST, rows_max: ROWS_PER_READ };
      const found = await rows(app.cassandra, selectActionsDescending, slice);
      for (const { at, kind, subject_id } of found) yield { at, kind, subject: subject_id };
      const last = found.at(-1);
      if (!last || found.length < ROWS_PER_READ) break;
      below = { below_at: last.at, below_kind: last.kind, below_subject_id: last.subject_id };
    }
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'actions_by_user',
    exported: actionsOfUser,
    erased: async (app, userId) => {
      for (const month of await monthsToErase(app, userId, 'actions'))
        await write(app.cassandra, eraseActions, { user_id: userId, month, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
  {
    table: 'months_by_user',
    exported: 'says only in which months the other lists have something',
    erased: async ({ cassandra }, user_id) => {
      for (const list of LISTS)
        await write(cassandra, eraseMonths, { user_id, list, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
];
