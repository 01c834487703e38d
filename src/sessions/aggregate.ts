import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { actionWrites } from '../activity/log.ts';
import { listedMonths, monthWrites } from '../activity/months.ts';
import { monthOf } from '../time/units.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import type { Content } from '../aggregates/state.ts';
import { projectedList, requiredRows } from '../aggregates/projected-list.ts';
import { batch } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { recordLogin } from '../logins/operations.ts';
import { endOfSubscription } from '../push/operations.ts';
import { recordSecurityEvent } from '../security/operations.ts';
import { sessionsByStart, sessionStates, type SessionState } from './tables.ts';

/**
 * The key of a change of a session. `login` is set if the change is a login, which is counted and
 * recorded after the session was changed. It has the network address of the login, null if the
 * server itself logs in. The session does not store the address.
 */
const sessionKey = z.strictObject({
  sessionId: uuid,
  login: z.strictObject({ address: z.string().nullable() }).nullable(),
});

/** The state of a session that never began. */
export const UNBEGUN: Content<SessionState> = {
  user_id: null,
  device: null,
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
};

type SessionKey = z.infer<typeof sessionKey>;

const ofReader = projectedList(sessionsByStart, {
  rowsOf: ({ sessionId }: SessionKey, state: SessionState) => {
    const { user_id, device, started_at, active_at, expires_at, ended_at } = state;
    if (user_id === null || !started_at || !active_at || !expires_at) return [];
    const key = { user_id, month: monthOf(started_at), started_at, session_id: sessionId };
    return [{ ...key, device, active_at, expires_at, ended_at }];
  },
  readerOf: ({ user_id }) => user_id,
});

/** The months in which a reader has sessions. A listed month without sessions is harmless. */
const months = requiredRows(listedMonths, {
  rowsOf: (_key: SessionKey, { user_id, started_at }: SessionState) =>
    user_id === null || !started_at ? [] : [{ user_id, list: 'sessions', month: monthOf(started_at) }],
});

/** The lists of the sessions of readers. */
export const listsOfSessions = [ofReader, months];

/**
 * The source of truth for sessions and its projections: the owner of a session, its end, and its
 * valid refresh token.
 */
export const sessions = aggregate({
  name: 'session',
  key: sessionKey,
  table: sessionStates,
  rowKey: ({ sessionId }) => ({ session_id: sessionId }),
  shownAs: ({ sessionId }) => [{ kind: 'SESSION', key: sessionId }],
  tombstone: UNBEGUN,
  // A visitor's session has no owner, so there is no account that could be deleted.
  projectionContext: (app, _key, { user_id }) => (user_id === null ? Promise.resolve({}) : accountNow(app, user_id)),
  erase: (app, { sessionId }) => forgetSession(app, sessionId),
  projections: (app, key, state) => {
    const { sessionId, login } = key;
    const { user_id: userId, started_at, ended_at, ended_by } = state;
    const inList = ofReader.writes(key, state, undefined);
    if (userId === null || !started_at || inList.length === 0) return [];
    const ends = ended_at ? [endOfSubscription(userId, sessionId)] : [];
    const list = () => batch(app.cassandra, [...monthWrites(userId, 'sessions', [started_at]), ...inList, ...ends]);
    const reuse = () => {
      const about = { at: ended_at ?? state.changed_at, address: null, sessionId };
      return recordSecurityEvent(app, userId, sessionId, { kind: 'TOKEN_REUSED', ...about });
    };
    return [
      { list },
      login ? loginProjections(app, userId, sessionId, state, login.address) : {},
      ended_by === 'TOKEN_REUSE' ? { reuse } : {},
    ];
  },
});

/** Erases a session of a reader whose account is deleted. It can be repeated at any time. */
export function forgetSession(app: AppContext, sessionId: string): Promise<void> {
  return sessions.forget(app, { sessionId, login: null });
}

/**
 * Returns the projections of a login: its count, its security event, and its entry in the activity
 * log.
 */
function loginProjections(
  app: AppContext,
  userId: string,
  sessionId: string,
  { logged_in_at: at, logged_in_by: by }: SessionState,
  address: string | null,
) {
  if (!at) return {};
  const kind = by === 'REGISTER' ? 'REGISTERED' : 'LOGGED_IN';
  const action = () => batch(app.cassandra, actionWrites(userId, [{ kind: 'LOGGED_IN', at, subject: '' }]));
  return {
    login: () => recordLogin(app, { userId, succeeded: true, at, id: sessionId }),
    event: () => recordSecurityEvent(app, userId, sessionId, { kind, at, address, sessionId }),
    // A registration is a separate action.
    ...(by === 'LOGIN' ? { action } : {}),
  };
}

/** Returns the state of a session that has ended. */
export const ended = (
  state: SessionState,
  by: NonNullable<SessionState['ended_by']>,
  at: Date,
): Content<SessionState> => ({ ...state, ended_at: at, ended_by: by });

/** True if a session can be continued. */
export const isOpen = ({ ended_at, expires_at }: SessionState, now: Date) =>
  !ended_at && expires_at !== null && expires_at > now;
