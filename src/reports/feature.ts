import type { Feature } from '../feature/feature.ts';
import { reports } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  transactions: [reports.transaction],
  personalData,
  impersonalTables: ['report_months'],
} satisfies Feature;
