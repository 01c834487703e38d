import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { isShown } from '../identity/privacy.ts';
import { setReadingGoal, statisticsOf, type ReadingStatistics } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    ReadingStatistics: ReadingStatistics;
  }
}

export const resolvers = {
  Mutation: {
    setReadingGoal: (_mutation, { input }, context) => mutation({ viewer: null }, () => setReadingGoal(context, input)),
  },
  User: {
    statistics: async (user, { year }, context) =>
      (await isShown(context, user.id, 'readings')) ? statisticsOf(context, user, year) : null,
  },
} satisfies Resolvers;
