import type { Resolvers } from '../graphql/resolvers.generated.ts';

export const resolvers: Resolvers = {
  Query: {
    rateLimit: (_query, _args, { rateLimit }) => rateLimit ?? null,
  },
};
