import type { StoredData } from '../erasure/personal-table.ts';

export const room = {
  impersonalTables: ['audits'],
} satisfies StoredData;
