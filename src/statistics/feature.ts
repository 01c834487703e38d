import type { Feature } from '../feature/feature.ts';
import { goals } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  transactions: [goals.transaction],
  personalData,
  viewerData: {
    setReadingGoal: 'READINGS',
    shareYear: 'READINGS',
  },
} satisfies Feature;
