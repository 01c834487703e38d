import { eraseMonthly, monthsOf } from '../activity/months.ts';
import { everyRow, LATEST, LOWEST_UUID } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseEvents, selectEventsDescending, type EventRow } from './tables.ts';

const ROWS_PER_READ = 500;

async function* eventsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, userId, 'security_events')) {
    const every = everyRow<EventRow>(ROWS_PER_READ, (last) => {
      const { at, event_id } = last ?? { at: LATEST, event_id: LOWEST_UUID };
      const slice = { user_id: userId, month, at, event_id, at_least: month, rows_max: ROWS_PER_READ };
      return rows(app.cassandra, selectEventsDescending, slice);
    });
    for await (const { at, kind, address, session_id } of every) yield { at, kind, address, sessionId: session_id };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'security_events_by_user',
    exported: eventsOfUser,
    erased: (app, userId) => eraseMonthly(app, userId, 'security_events', eraseEvents),
  },
];
