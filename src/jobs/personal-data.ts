import type { PersonalTable } from '../erasure/personal-table.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'jobs',
    exported: 'contains only the progress of a change in progress',
    erased: 'removed when the change is finished',
  },
  {
    table: 'scheduled_jobs',
    exported:
      'contains only the fact that the email is not verified yet; the time of the registration is in users_by_id',
    erased: 'by the decision to delete the account',
  },
];
