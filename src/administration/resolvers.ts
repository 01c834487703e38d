import type { Cursor } from '../graphql/connections.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { accountById } from '../identity/operations.ts';
import { decisionsAbout, type Decision } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Decision: Decision;
    DecisionEdge: { cursor: Cursor; node: Decision };
  }
}

export const resolvers = {
  Query: {
    administration: (_query, args, context) => decisionsAbout(context, args),
  },
  Decision: {
    // Administrators see each other even if one blocks the other.
    administrator: ({ administratorId }, _args, context) => accountById(context, administratorId),
    reason: ({ reason }) => (reason === '' ? null : reason),
  },
} satisfies Resolvers;
