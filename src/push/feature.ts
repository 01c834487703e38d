import type { Feature } from '../feature/feature.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const feature = { resolvers, personalData, beforeVerified: ['removePushSubscription'] } satisfies Feature;
