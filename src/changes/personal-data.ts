import type { PersonalTable } from '../erasure/personal-table.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'changes_by_time',
    exported: 'contains only the fact that something of the reader changed within the last minutes',
    erased: 'expires after two minutes',
  },
];
