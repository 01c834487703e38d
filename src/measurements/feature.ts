import type { Feature } from '../feature/feature.ts';
import { measure } from './measurements.worker.ts';
import { pointsAtMost } from './operations.ts';
import { resolvers } from './resolvers.ts';
import { PERIOD_MS } from './series.ts';

export const feature = {
  resolvers,
  costs: { Query: { measurements: { size: pointsAtMost } } },
  workers: [{ name: 'measurements', periodMs: PERIOD_MS, run: measure }],
  impersonalTables: ['measurements'],
} satisfies Feature;
