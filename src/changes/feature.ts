import type { StoredData } from '../erasure/personal-table.ts';
import { personalData } from './personal-data.ts';

export const feature = { personalData } satisfies StoredData;
