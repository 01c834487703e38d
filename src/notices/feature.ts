import type { Feature } from '../feature/feature.ts';
import { personalData } from './personal-data.ts';

export const feature = { personalData } satisfies Feature;
