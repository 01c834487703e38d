import type { StoredData } from '../erasure/personal-table.ts';

export const feature = {
  impersonalTables: ['leases'],
} satisfies StoredData;
