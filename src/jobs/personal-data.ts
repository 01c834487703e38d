import type { PersonalTable } from '../erasure/personal-table.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'jobs',
    exported: 'only while a change is under way: how far it is',
    erased: 'goes when the change is finished',
  },
  {
    table: 'scheduled_jobs',
    exported: 'only that a proof of the email is waited for: when the account registered is in users_by_id',
    erased: 'by the decision to delete the account',
  },
];
