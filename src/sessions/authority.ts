import { z } from 'zod';
import { accountNow } from '../identity/operations.ts';
import { actionWrites } from '../activity/log.ts';
import { monthOf, monthWrites } from '../activity/months.ts';
import { applied, batch, bind, first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { recordLogin } from '../logins/operations.ts';
import { recordEvent } from '../security/operations.ts';
import { authority, changeOf } from '../aggregates/aggregate.ts';
import type { Step } from '../transactions/operations.ts';
import {
  deleteSession,
  insertSession,
  insertSessionOfUser,
  selectSessionSerially,
  updateSession,
  type SessionState,
} from './tables.ts';

/** The session of a visitor who never logs in is forgotten after a month. */
const VISIT_KEPT_SECONDS = 30 * 86_400;

/** `login`: whether the change is a login, which is counted and noted once the session has it. */
const sessionChange = z.strictObject({ sessionId: z.uuid(), login: z.boolean() });
type SessionChange = z.infer<typeof sessionChange>;

/** A session that never began. */
export const UNBEGUN = {
  user_id: null,
  device: null,
  address: null,
  started_at: null,
  logged_in_at: null,
  logged_in_by: null,
  active_at: null,
  expires_at: null,
  ended_at: null,
  ended_by: null,
  refresh_hash: null,
  former_refresh_hash: null,
  refreshed_at: null,
} as const;

/** What decides whose a session is, whether it is open, and which refresh token is good. */
export const sessionAuthority = authority<SessionChange, SessionState>({
  name: 'session',
  payload: sessionChange,
  row: ({ cassandra }, { sessionId: session_id }) => ({
    read: async () => (await first(cassandra, selectSessionSerially, { session_id }))?.state,
    insert: (state) =>
      applied(cassandra, insertSession, {
        session_id,
        state,
        ttl_seconds: state.user_id === null ? VISIT_KEPT_SECONDS : 0,
      }),
    replace: (current, next) => applied(cassandra, updateSession, { session_id, current, next }),
  }),
  unmade: UNBEGUN,
  follow,
});

/** Changes a session: the authority's row first, then the list of its reader; of a login also the counts and the diary. */
export const sessionTransaction = sessionAuthority.transaction;

/** A session that has ended. */
export const ended = (
  app: AppContext,
  state: SessionState,
  by: NonNullable<SessionState['ended_by']>,
  now: Date,
): SessionState => ({ ...state, ...changeOf(app, state, now), ended_at: now, ended_by: by });

/** Whether a session can be gone on with. */
export const isOpen = ({ ended_at, expires_at }: SessionState, now: Date) =>
  !ended_at && expires_at !== null && expires_at > now;

/** Brings the list, the counts and the diary up to a state of the authority. May be repeated at any time. */
async function follow(app: AppContext, change: SessionChange, state: SessionState, step: Step): Promise<void> {
  const { sessionId } = change;
  const { version, user_id, device, started_at, active_at, expires_at, ended_at } = state;
  if (user_id === null || !started_at || !active_at || !expires_at) return;
  if ((await accountNow(app, user_id)).isErased) {
    // The account was deleted meanwhile; its lists take nothing more.
    await step('erasure', () => applied(app.cassandra, deleteSession, { session_id: sessionId }));
    return;
  }
  const row = { user_id, month: monthOf(started_at), started_at, session_id: sessionId, device, active_at, expires_at };
  await step('list', () =>
    batch(app.cassandra, [
      ...monthWrites(user_id, 'sessions', [started_at]),
      bind(insertSessionOfUser, { ...row, ended_at, version: BigInt(version) }),
    ]),
  );
  if (change.login) await followLogin(app, sessionId, state, step);
  if (ended_at && state.ended_by === 'TOKEN_REUSE') {
    const about = { at: ended_at, address: null, sessionId };
    await step('reuse', () => recordEvent(app, user_id, sessionId, { kind: 'TOKEN_REUSED', ...about }));
  }
}

async function followLogin(app: AppContext, sessionId: string, state: SessionState, step: Step): Promise<void> {
  const { user_id: userId, logged_in_at: at, logged_in_by: by, address } = state;
  if (userId === null || !at) return;
  const kind = by === 'REGISTER' ? 'REGISTERED' : 'LOGGED_IN';
  await Promise.all([
    step('login', () => recordLogin(app, { userId, succeeded: true, at, id: sessionId })),
    step('event', () => recordEvent(app, userId, sessionId, { kind, at, address, sessionId })),
    step('action', () =>
      // Registering is an action of its own.
      by === 'REGISTER'
        ? Promise.resolve()
        : batch(app.cassandra, actionWrites(userId, [{ kind: 'LOGGED_IN', at, subject: '' }])),
    ),
  ]);
}
