import type { Feature } from '../feature/feature.ts';

export const feature = {
  impersonalTables: ['imports'],
} satisfies Feature;
