import type { Room } from '../house/room.ts';
import { listings, projectSomeCopies, retitleSomeCopies } from './aggregate.ts';
import { itemAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [listings.transaction],
  jobs: {
    SUSPENSION: [{ name: 'copies', work: projectSomeCopies }],
    RETITLE: [{ name: 'copies', work: retitleSomeCopies }],
  },
  audits: [itemAudit],
  personalData,
} satisfies Room;
