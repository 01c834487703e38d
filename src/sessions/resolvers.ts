import { mutation } from '../errors.ts';
import { encodeId } from '../ids.ts';
import type { Resolvers } from '../schema.generated.ts';
import { endSessionOfViewer, logout, sessionsOf, startSession } from './operations.ts';
import { refreshTokens } from './refresh.ts';

const nobody = { viewer: null, session: null, accessToken: null, refreshToken: null, accessTokenExpiresAt: null };

export const resolvers: Resolvers = {
  Mutation: {
    startSession: (_mutation, { input }, context) => mutation({ session: null }, () => startSession(context, input)),
    refreshTokens: (_mutation, { input }, context) => mutation(nobody, () => refreshTokens(context, input)),
    logout: (_mutation, { input }, context) => mutation({}, () => logout(context, input)),
    endSession: (_mutation, { input }, context) =>
      mutation({ session: null, viewer: null }, () => endSessionOfViewer(context, input)),
  },
  User: {
    sessions: (user, args, context) => (user.id === context.viewerId ? sessionsOf(context, user.id, args, args) : null),
  },
  Session: {
    id: ({ id }) => encodeId({ type: 'Session', key: id }),
    isCurrent: ({ id }, _args, context) => id === context.sessionId,
  },
};
