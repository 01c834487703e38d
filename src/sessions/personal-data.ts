import { eraseMonthly } from '../activity/months.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetSession } from './aggregate.ts';
import { allSessionsOf } from './operations.ts';
import { eraseSessionsOfUser, selectSessions } from './tables.ts';
import { forgetLiveness } from './liveness.ts';

async function* sessionsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for await (const { id } of allSessionsOf(app, userId)) {
    const row = await first(app.cassandra, selectSessions, { session_ids: [id] });
    if (!row) continue;
    const { device, started_at, logged_in_at, logged_in_by, active_at, expires_at, ended_at, ended_by } = row.state;
    yield {
      sessionId: id,
      device,
      startedAt: started_at,
      loggedInAt: logged_in_at,
      loggedInBy: logged_in_by,
      activeAt: active_at,
      expiresAt: expires_at,
      endedAt: ended_at,
      endedBy: ended_by,
    };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'sessions_by_id',
    exported: sessionsOfUser,
    erased: async (app, userId) => {
      for await (const { id } of allSessionsOf(app, userId)) {
        await forgetSession(app, id);
        forgetLiveness(app, id);
      }
    },
  },
  {
    table: 'sessions_by_user',
    exported: 'a projection of sessions_by_id',
    erased: (app, userId) => eraseMonthly(app, userId, 'sessions', eraseSessionsOfUser),
  },
];
