import { rowsOfMonths } from '../activity/months.ts';
import { monthOf } from '../time/months.ts';
import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { rows } from '../cassandra/statement.ts';
import { sessions } from './aggregate.ts';
import { rowsOfSessions, scanSessions, selectSessions, type SessionState } from './tables.ts';

/** The audit of sessions and the lists of them. */

/** A list of sessions. The key is the id of the session. */
type List = ProjectedList<string, SessionState, undefined>;

const keyOf = ({ session_id }: { readonly session_id: string }): string => session_id;

const ofReader: List = projectedList({
  rows: rowsOfSessions,
  rowsOf: (sessionId, { user_id, device, started_at, active_at, expires_at, ended_at }) => {
    if (user_id === null || !started_at || !active_at || !expires_at) return [];
    const key = { user_id, month: monthOf(started_at), started_at, session_id: sessionId };
    return [{ ...key, device, active_at, expires_at, ended_at }];
  },
  keyOf,
  readerOf: ({ user_id }) => user_id,
});

/** The months in which a reader has sessions. A listed month without sessions is harmless. */
const months: List = projectedList({
  rows: rowsOfMonths,
  rowsOf: (_sessionId, { user_id, started_at }) =>
    user_id === null || !started_at ? [] : [{ user_id, list: 'sessions', month: monthOf(started_at) }],
});

/** Audits the sessions and the lists of readers. */
export const sessionAudit: Audit = projectionAudit(
  {
    kind: 'sessions',
    table: 'sessions_by_id',
    partition: ['session_id'],
    ring: scanSessions,
    keyOf,
    nameOf: (sessionId) => `session_id = ${sessionId}`,
    find: async ({ cassandra }, sessionIds) => {
      const found = await rows(cassandra, selectSessions, { session_ids: sessionIds });
      return found.map(({ session_id, state }) => ({ key: session_id, state }));
    },
    read: (app, sessionId) => sessions.read(app, { sessionId, login: null }),
    about: () => Promise.resolve(undefined),
    behind: (_sessionId, state) => (state?.user_id ? [{ type: 'User', key: state.user_id }] : []),
    repair: (app, sessionId, above) => sessions.repair(app, { sessionId, login: null }, above),
  },
  [ofReader, months],
);
