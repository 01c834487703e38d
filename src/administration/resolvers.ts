import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { accountById } from '../identity/operations.ts';
import { decisionsAbout, type Decision } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Decision: Decision;
  }
}

export const resolvers: Resolvers = {
  Query: {
    administration: (_query, args, context) => decisionsAbout(context, args),
  },
  Decision: {
    // Administrators know each other, whoever blocks whom.
    administrator: ({ administratorId }, _args, context) => accountById(context, administratorId),
    reason: ({ reason }) => (reason === '' ? null : reason),
  },
};
