import type { Room } from '../house/room.ts';
import { reports } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [reports.transaction],
  personalData,
  impersonalTables: ['report_months'],
} satisfies Room;
