import type { Feature } from '../feature/feature.ts';
import { personalData } from './personal-data.ts';
import { requestCosts } from './request-costs.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  workers: [{ name: 'request costs', periodMs: 1_000, run: (app) => requestCosts(app).exchange(app) }],
  personalData,
} satisfies Feature;
