import type { Resolvers } from '../graphql/resolvers.generated.ts';

export const resolvers = {
  Query: {
    rateLimit: (_query, _args, { rateLimit }) => rateLimit ?? null,
  },
} satisfies Resolvers;
