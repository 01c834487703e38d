import type { Feature } from '../feature/feature.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  costs: { User: { actions: { partitions: ({ kinds }) => Math.max(1, new Set(kinds).size) } } },
  personalData,
} satisfies Feature;
