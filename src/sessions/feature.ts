import { projectionAudit } from '../audit/projection.ts';
import type { Feature } from '../feature/feature.ts';
import { listsOfSessions, sessions } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { sessionById } from './operations.ts';

/** The audit of sessions and of the lists of readers. */
const sessionAudit = projectionAudit(sessions, {
  kind: 'sessions',
  lists: listsOfSessions,
  keyOf: ({ session_id }) => ({ sessionId: session_id, login: null }),
  behind: (_key, state) => (state?.user_id ? [{ type: 'User', key: state.user_id }] : []),
});

export const feature = {
  resolvers,
  nodeTypes: { Session: { find: sessionById } },
  transactions: [sessions.transaction],
  audits: [sessionAudit],
  personalData,
  beforeVerified: ['startSession', 'refreshTokens'],
} satisfies Feature;
