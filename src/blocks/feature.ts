import type { Feature } from '../feature/feature.ts';
import { blocks } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  transactions: [blocks.transaction],
  personalData,
  viewerData: {
    block: 'PROFILE',
    unblock: 'PROFILE',
  },
} satisfies Feature;
