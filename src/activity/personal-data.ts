import { EARLIEST, everyRow, HIGHEST_TEXT, LATEST } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../erasure/personal-table.ts';
import { eraseMonthly, MONTHLY_LISTS, monthsOf } from './months.ts';
import { eraseActions, eraseMonths, selectActionsDescending, type ActionRow } from './tables.ts';

const ROWS_PER_READ = 500;

async function* actionsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, userId, 'actions')) {
    const every = everyRow<ActionRow>(ROWS_PER_READ, (last) => {
      const below = last ?? { at: LATEST, kind: HIGHEST_TEXT, subject_id: HIGHEST_TEXT };
      return rows(app.cassandra, selectActionsDescending, {
        user_id: userId,
        month,
        below_at: below.at,
        below_kind: below.kind,
        below_subject_id: below.subject_id,
        at_least: EARLIEST,
        rows_max: ROWS_PER_READ,
      });
    });
    for await (const { at, kind, subject_id } of every) yield { at, kind, subject: subject_id };
  }
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
      for (const list of MONTHLY_LISTS)
        await write(cassandra, eraseMonths, { user_id, list, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
];
