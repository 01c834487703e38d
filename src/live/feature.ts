import type { Feature } from '../feature/feature.ts';
import { resolvers } from './resolvers.ts';

export const feature = { resolvers } satisfies Feature;
