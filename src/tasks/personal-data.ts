import type { PersonalTable } from '../personal-data.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'tasks',
    exported: 'only while a change is under way: how far it is',
    erased: 'goes when the change is finished',
  },
];
