import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { takeDown } from './operations.ts';

export const resolvers = {
  Mutation: {
    takeDown: (_mutation, { input }, context) =>
      mutation({ node: null, changed: false }, () => takeDown(context, input)),
  },
} satisfies Resolvers;
