import type { Room } from '../house/room.ts';
import { ratings } from './aggregate.ts';
import { ratingAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { mergeRatings, sumUpRatings } from './repair.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [ratings.transaction],
  jobs: { MERGE_RATINGS: mergeRatings, SUM_UP_RATINGS: sumUpRatings },
  audits: [ratingAudit],
  personalData,
  impersonalTables: ['rating_counts'],
} satisfies Room;
