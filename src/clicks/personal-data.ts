import { EARLIEST, LATEST } from '../cassandra/orders.ts';
import { write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { allSessionsOf } from '../sessions/operations.ts';
import { clicksOfHour, hoursOf } from './hours.ts';
import { eraseHour } from './recording.ts';
import { eraseHours } from './tables.ts';

async function* hoursOfUser(app: AppContext, userId: string) {
  for await (const { id: session_id } of allSessionsOf(app, userId))
    for (const hour of await hoursOf(app, session_id, EARLIEST, LATEST)) yield { session_id, hour };
}

async function* clicksOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for await (const hour of hoursOfUser(app, userId))
    for await (const { id: clickId, ...click } of clicksOfHour(app, hour)) yield { clickId, ...click };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'clicks_by_session',
    exported: clicksOfUser,
    erased: async (app, userId) => {
      for await (const hour of hoursOfUser(app, userId)) await eraseHour(app, hour);
      return undefined;
    },
  },
  {
    table: 'clicks_by_time',
    exported: 'the clicks of clicks_by_session',
    erased: 'together with clicks_by_session, by which they are found',
  },
  {
    table: 'click_hours_by_session',
    exported: 'contains only the hours that have clicks, and their number',
    erased: async (app, userId) => {
      for await (const { id: session_id } of allSessionsOf(app, userId))
        await write(app.cassandra, eraseHours, { session_id });
      return undefined;
    },
  },
];
