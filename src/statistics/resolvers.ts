import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { setReadingGoal, shareYear, statisticsOf, type ReadingStatistics } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    ReadingStatistics: ReadingStatistics;
  }
}

export const resolvers = {
  Mutation: {
    setReadingGoal: (_mutation, { input }, context) => mutation({ viewer: null }, () => setReadingGoal(context, input)),
    shareYear: (_mutation, { input }, context) => mutation({ viewer: null }, () => shareYear(context, input)),
  },
  User: {
    statistics: (user, { year }, context) => statisticsOf(context, user, year),
  },
} satisfies Resolvers;
