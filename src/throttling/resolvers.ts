import type { Resolvers } from '../schema.generated.ts';

export const resolvers: Resolvers = {
  Query: {
    rateLimit: (_query, _args, { rateLimit }) => rateLimit ?? null,
  },
};
