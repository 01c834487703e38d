import type { Room } from '../house/room.ts';
import { lists } from './aggregate.ts';
import { listAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [lists.transaction],
  audits: [listAudit],
  personalData,
} satisfies Room;
