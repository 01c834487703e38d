import type { Room } from '../house/room.ts';
import { readings, relistSomeReadings } from './aggregate.ts';
import { readingAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { shelvesOf } from './shelves.ts';
import { fillYears } from './years.ts';

export const room = {
  resolvers,
  costs: { User: { shelf: { partitions: ({ status }) => shelvesOf(status).length } } },
  transactions: [readings.transaction],
  jobs: { RELIST: relistSomeReadings, FILL_YEARS: fillYears },
  audits: [readingAudit],
  personalData,
} satisfies Room;
