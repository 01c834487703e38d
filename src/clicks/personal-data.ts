import { EARLIEST, LATEST } from '../cassandra/orders.ts';
import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { allSessionsOf } from '../sessions/operations.ts';
import { hoursOf } from './operations.ts';
import { eraseClicks, eraseHours, selectClicks } from './tables.ts';

async function* clicksOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for await (const { id, startedAt } of allSessionsOf(app, userId))
    for (const hour of await hoursOf(app, id, EARLIEST, LATEST))
      for await (const { at, click_id, target } of each(app.cassandra, selectClicks, { session_id: id, hour }))
        // Every hour has a row at the zero moment.
        if (at >= startedAt) yield { sessionId: id, clickId: click_id, at, target };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'clicks_by_session',
    exported: clicksOfUser,
    erased: async (app, userId) => {
      for await (const { id: session_id } of allSessionsOf(app, userId))
        for (const hour of await hoursOf(app, session_id, EARLIEST, LATEST))
          await write(app.cassandra, eraseClicks, { session_id, hour });
    },
  },
  {
    table: 'click_hours_by_session',
    exported: 'says only in which hours the clicks are',
    erased: async (app, userId) => {
      for await (const { id: session_id } of allSessionsOf(app, userId))
        await write(app.cassandra, eraseHours, { session_id });
    },
  },
];
