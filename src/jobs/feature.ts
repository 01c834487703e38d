import type { StoredData } from '../erasure/personal-table.ts';
import { personalData } from './personal-data.ts';

export const feature = {
  personalData,
  impersonalTables: ['scheduled_job_hours'],
} satisfies StoredData;
