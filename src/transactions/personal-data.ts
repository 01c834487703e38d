import type { PersonalTable } from '../erasure/personal-table.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'transaction_log',
    exported: 'contains only the kind of the change in progress',
    erased: 'removed within seconds after the change is finished',
  },
  {
    table: 'transaction_dead_letters',
    exported: 'only changes that a bug keeps from being finished',
    erased: 'removed when the change is finished; an alert asks an operator to examine it',
  },
];
