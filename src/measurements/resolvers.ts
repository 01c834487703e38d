import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { measurements } from './operations.ts';

export const resolvers = {
  Query: {
    measurements: (_query, args, context, { schema }) => measurements(context, args, schema),
  },
} satisfies Resolvers;
