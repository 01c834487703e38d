import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { clicksOf, recordClicks } from './operations.ts';

const nothing = { session: null, recorded: 0 };

export const resolvers: Resolvers = {
  Mutation: {
    recordClicks: (_mutation, { input }, context) => mutation(nothing, () => recordClicks(context, input)),
  },
  Session: {
    clicks: (session, args, context) => clicksOf(context, session, args, args),
  },
};
