import { onlyForSelf } from '../identity/privacy.ts';
import type { Cursor } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { sessionById, sessionsOf, startSession, type Session } from './operations.ts';
import { refreshTokens } from './refresh.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Session: Session;
    SessionEdge: { cursor: Cursor; node: Session; startedAt: Date };
  }
}

const nobody = { viewer: null, session: null, accessToken: null, refreshToken: null, accessTokenExpiresAt: null };

export const resolvers = {
  Mutation: {
    startSession: (_mutation, { input }, context) => mutation({ session: null }, () => startSession(context, input)),
    refreshTokens: (_mutation, { input }, context) => mutation(nobody, () => refreshTokens(context, input)),
  },
  AuthPayload: {
    // The token is left out of the answer if it is in a cookie, because a script could read the
    // answer.
    refreshToken: ({ refreshToken }, _args, { refreshCookie }) => (refreshCookie ? null : (refreshToken ?? null)),
  },
  User: {
    sessions: onlyForSelf((context, userId, args) => sessionsOf(context, userId, args, args)),
  },
  SecurityEvent: {
    session: ({ sessionId }, _args, context) => (sessionId === null ? null : sessionById(context, sessionId)),
  },
  Session: {
    id: ({ id }) => encodeId({ type: 'Session', key: id }),
    isCurrent: ({ id }, _args, context) => id === context.sessionId,
  },
} satisfies Resolvers;
