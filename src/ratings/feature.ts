import type { Feature } from '../feature/feature.ts';
import { ratings } from './aggregate.ts';
import { ratingAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  transactions: [ratings.transaction],
  audits: [ratingAudit],
  personalData,
  impersonalTables: ['rating_counts'],
  viewerData: {
    rateBook: 'RATINGS',
    unrateBook: 'RATINGS',
  },
} satisfies Feature;
