import type { Room } from '../house/room.ts';
import { reviews } from './aggregate.ts';
import { reviewAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { rankReview } from './rank.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [reviews.transaction],
  jobs: { RANK_REVIEW: rankReview },
  audits: [reviewAudit],
  personalData,
} satisfies Room;
