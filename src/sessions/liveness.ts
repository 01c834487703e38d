import { sizeOf } from '../cassandra/bytes.ts';
import { loaderOf } from '../cassandra/key-loaders.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { selectSessions, sessionStates } from './tables.ts';
import type { TokenOwner } from './tokens.ts';

/**
 * The limits of kept sessions. Every server refuses a session within a second of its end. A kept
 * session takes half a kilobyte.
 */
const LIMITS = { milliseconds: 1_000, bytesMax: 8 * 2 ** 20 };

/** The owner of an open session, and the moment at which it expires. */
interface Open {
  readonly userId: string | null;
  readonly expiresAt: Date | null;
}

const NONE: Open = { userId: null, expiresAt: null };

/** The sessions that this process keeps until they change. */
const keptSessions = perProcess((app) => {
  const sessions = loaderOf(app, selectSessions, app);
  return keptUntilChanged<Open>(app, 'SESSION', LIMITS, async (session_id) => {
    const row = await sessions.load(session_id);
    // The token is genuine, so the session existed. Only a serial read can decide that it is
    // missing.
    const state = row?.state ?? (await sessionStates.read(app.cassandra, { session_id }));
    const open = state && !state.ended_at ? { userId: state.user_id, expiresAt: state.expires_at } : NONE;
    return { row: open, size: sizeOf([{ ...open }]) };
  });
});

/** True if the session of an access token is open and still belongs to its reader. */
export function isSessionOpen(app: AppContext, { userId, sessionId }: TokenOwner, now: Date): MaybePromise<boolean> {
  const kept = keptSessions(app);
  return andThen(
    kept.kept(sessionId) ?? kept.read(sessionId),
    ({ row = NONE }) => row.userId === userId && row.expiresAt !== null && row.expiresAt > now,
  );
}

/**
 * Forgets a session that this server has changed itself, so that the change is visible immediately.
 */
export const forgetLiveness = (app: AppContext, sessionId: string): void => keptSessions(app).forget(sessionId);
