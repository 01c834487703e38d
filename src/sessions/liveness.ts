import { LRUCache } from 'lru-cache';
import { type Cassandra, first } from '../cassandra/statement.ts';
import { perProcess } from '../context/context.ts';
import { selectSessions } from './tables.ts';
import type { TokenOwner } from './tokens.ts';

/** A session that was ended is refused by every server within this time. */
const TRUSTED_MS = 1_000;
const SESSIONS_MAX = 20_000;

/** Whose a session is, and until when. */
interface Open {
  readonly userId: string | null;
  readonly expiresAt: Date | null;
}

/** The sessions that this process knows to be open. */
export const liveSessions = perProcess(({ cassandra }) => new LiveSessions(cassandra));

/** Which sessions are open, as this server saw it within the last second. */
class LiveSessions {
  readonly #cache: LRUCache<string, Open>;

  constructor(cassandra: Cassandra) {
    this.#cache = new LRUCache<string, Open>({
      max: SESSIONS_MAX,
      ttl: TRUSTED_MS,
      fetchMethod: async (sessionId) => {
        const row = await first(cassandra, selectSessions, { session_ids: [sessionId] });
        const isOpen = row && !row.state.ended_at;
        return isOpen ? { userId: row.state.user_id, expiresAt: row.state.expires_at } : NONE;
      },
    });
  }

  /** Whether the session of an access token is open, and still its reader's. */
  async isLive({ userId, sessionId }: TokenOwner, now: Date): Promise<boolean> {
    const open = await this.#cache.fetch(sessionId);
    return open?.userId === userId && open.expiresAt !== null && open.expiresAt > now;
  }

  /** What this server itself has changed it does not have to find out. */
  forget(sessionId: string): void {
    this.#cache.delete(sessionId);
  }
}

const NONE: Open = { userId: null, expiresAt: null };
