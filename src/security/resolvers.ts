import type { Resolvers } from '../schema.generated.ts';
import { sessionById } from '../sessions/operations.ts';
import { securityEventsOf } from './operations.ts';

export const resolvers: Resolvers = {
  User: {
    securityEvents: (user, args, context) =>
      user.id === context.viewerId ? securityEventsOf(context, user.id, args, args) : null,
  },
  SecurityEvent: {
    session: ({ sessionId }, _args, context) => (sessionId === null ? null : sessionById(context, sessionId)),
  },
};
