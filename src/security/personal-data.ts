import { monthsOf, monthsToErase } from '../activity/operations.ts';
import { LATEST } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../personal-data.ts';
import { FIRST_ID } from './operations.ts';
import { eraseEvents, selectEventsDescending } from './tables.ts';

const ROWS_PER_READ = 500;

async function* eventsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const month of await monthsOf(app, userId, 'security_events')) {
    let below = { at: LATEST, event_id: FIRST_ID };
    for (;;) {
      const slice = { user_id: userId, month, ...below, at_least: month, rows_max: ROWS_PER_READ };
      const found = await rows(app.cassandra, selectEventsDescending, slice);
      for (const { at, kind, address, session_id } of found) yield { at, kind, address, sessionId: session_id };
      const last = found.at(-1);
      if (!last || found.length < ROWS_PER_READ) break;
      below = { at: last.at, event_id: last.event_id };
    }
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'security_events_by_user',
    exported: eventsOfUser,
    erased: async (app, userId) => {
      for (const month of await monthsToErase(app, userId, 'security_events'))
        await write(app.cassandra, eraseEvents, { user_id: userId, month, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
];
