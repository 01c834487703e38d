import { HOUR_MS } from '../time/units.ts';
import type { Feature } from '../feature/feature.ts';
import { measureRepairs } from './repairs.worker.ts';

export const feature = {
  workers: [{ name: 'repair age', periodMs: HOUR_MS, isAtStart: true, run: measureRepairs }],
} satisfies Feature;
