import { RecentRows } from '../cassandra/recent-reads.ts';
import { loaderOf } from '../cassandra/key-loaders.ts';
import { andThen, type Soon } from '../cassandra/soon.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { selectSessions, sessionStates } from './tables.ts';
import type { TokenOwner } from './tokens.ts';

/** Every server refuses a session within this time of its end. */
const TRUSTED_MS = 1_000;
const SESSIONS_MAX = 20_000;

/** The owner of an open session, and the moment at which it expires. */
interface Open {
  readonly userId: string | null;
  readonly expiresAt: Date | null;
}

const NONE: Open = { userId: null, expiresAt: null };

/** The sessions that this process has read within the last second. */
const recentSessions = perProcess((app) => {
  const sessions = loaderOf(app, selectSessions, app);
  const find = async (session_id: string): Promise<Open> => {
    const row = await sessions.load(session_id);
    // The token is genuine, so the session existed. Only a serial read can tell that it is gone.
    const state = row?.state ?? (await sessionStates.read(app.cassandra, { session_id }));
    return state && !state.ended_at ? { userId: state.user_id, expiresAt: state.expires_at } : NONE;
  };
  return new RecentRows(find, { milliseconds: TRUSTED_MS, sizeMax: SESSIONS_MAX, steady: app.steady });
});

/** True if the session of an access token is open and still belongs to its reader. */
export function isSessionOpen(app: AppContext, { userId, sessionId }: TokenOwner, now: Date): Soon<boolean> {
  const recent = recentSessions(app);
  return andThen(
    recent.kept(sessionId) ?? recent.read(sessionId),
    (open) => open.userId === userId && open.expiresAt !== null && open.expiresAt > now,
  );
}

/** Forgets a session that this server has changed itself, so that the change is seen at once. */
export const forgetLiveness = (app: AppContext, sessionId: string): void => recentSessions(app).forget(sessionId);
