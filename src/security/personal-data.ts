import { eraseMonthly, monthsOf } from '../activity/months.ts';
import { each } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseEvents, selectEvents } from './tables.ts';

async function* eventsOfUser(app: AppContext, user_id: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, user_id, 'security_events'))
    for await (const { at, kind, address, session_id } of each(app.cassandra, selectEvents, { user_id, month }))
      yield { at, kind, address, sessionId: session_id };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'security_events_by_user',
    exported: eventsOfUser,
    erased: (app, userId) => eraseMonthly(app, userId, 'security_events', eraseEvents),
  },
];
