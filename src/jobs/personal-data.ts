import type { PersonalTable } from '../erasure/personal-table.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'jobs',
    exported: 'only while a change is under way: how far it is',
    erased: 'goes when the change is finished',
  },
];
