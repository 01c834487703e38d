import type { Resolvers } from '../graphql/generated/resolver-types.ts';

export const resolvers = {
  Query: {
    rateLimit: (_query, _args, { rateLimit }) => rateLimit ?? null,
  },
} satisfies Resolvers;
