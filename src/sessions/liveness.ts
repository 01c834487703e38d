import { RecentRows } from '../cassandra/recent-rows.ts';
import { rowLoader } from '../cassandra/row-loader.ts';
import { andThen, type Soon } from '../cassandra/soon.ts';
import { type Cassandra, rows } from '../cassandra/statement.ts';
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

/** The sessions that this process knows to be open. */
export const liveSessions = perProcess((app) => new LiveSessions(app));

/** Knows which sessions are open, as read by this server within the last second. */
class LiveSessions {
  readonly #cassandra: Cassandra;
  readonly #rows: ReturnType<typeof loaderOf>;
  readonly #recent: RecentRows<Open>;

  constructor(app: AppContext) {
    this.#cassandra = app.cassandra;
    this.#rows = loaderOf(app);
    const kept = { milliseconds: TRUSTED_MS, rowsMax: SESSIONS_MAX, steady: app.steady };
    this.#recent = new RecentRows((sessionId) => this.#find(sessionId), kept);
  }

  /** True if the session of an access token is open and still belongs to its reader. */
  isLive({ userId, sessionId }: TokenOwner, now: Date): Soon<boolean> {
    return andThen(
      this.#recent.kept(sessionId) ?? this.#recent.read(sessionId),
      (open) => open.userId === userId && open.expiresAt !== null && open.expiresAt > now,
    );
  }

  /** Forgets a session that this server has changed itself, so that the change is seen at once. */
  forget(sessionId: string): void {
    this.#recent.forget(sessionId);
  }

  async #find(sessionId: string): Promise<Open> {
    const row = await this.#rows.load(sessionId);
    // The token is genuine, so the session existed. Only a serial read can tell
    // that it is gone.
    const state = row?.state ?? (await sessionStates.read(this.#cassandra, { session_id: sessionId }));
    const isOpen = state && !state.ended_at;
    return isOpen ? { userId: state.user_id, expiresAt: state.expires_at } : NONE;
  }
}

const loaderOf = ({ cassandra, atEndOfTurn }: AppContext) =>
  rowLoader(
    (session_ids) => rows(cassandra, selectSessions, { session_ids }),
    (row) => row.session_id,
    { atEndOfTurn },
  );

const NONE: Open = { userId: null, expiresAt: null };
