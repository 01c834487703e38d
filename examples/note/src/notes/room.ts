import type { Room } from '../house/room.ts';
import { notes } from './aggregate.ts';
import { noteAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [notes.transaction],
  audits: [noteAudit],
  personalData,
} satisfies Room;
