import type { Cursor } from '../graphql/connections.ts';
import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { securityEventsOf } from './operations.ts';
import type { SecurityEvent } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    SecurityEvent: SecurityEvent;
    SecurityEventEdge: { cursor: Cursor; at: Date; node: SecurityEvent };
  }
}

export const resolvers = {
  User: {
    securityEvents: (user, args, context) =>
      user.id === context.viewerId ? securityEventsOf(context, user.id, args, args) : null,
  },
} satisfies Resolvers;
