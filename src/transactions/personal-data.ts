import type { PersonalTable } from '../erasure/personal-table.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'transaction_log',
    exported: 'only while a change is under way: which one',
    erased: 'goes within seconds of the change being finished',
  },
  {
    table: 'transaction_dead_letters',
    exported: 'only what a mistake of ours keeps from being finished',
    erased: 'goes when the change is finished; the alarm makes a person look at it',
  },
];
