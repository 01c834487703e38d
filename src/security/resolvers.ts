import { onlyForSelf } from '../identity/privacy.ts';
import type { Cursor } from '../graphql/connections.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { securityEventsOf, type SecurityEvent } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    SecurityEvent: SecurityEvent;
    SecurityEventEdge: { cursor: Cursor; at: Date; node: SecurityEvent };
  }
}

export const resolvers = {
  User: {
    securityEvents: onlyForSelf((context, userId, args) => securityEventsOf(context, userId, args, args)),
  },
} satisfies Resolvers;
