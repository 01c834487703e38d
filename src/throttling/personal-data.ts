import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseKnownAddresses } from './tables.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'tries_by_subject',
    exported:
      'only the times of failed tries with a password of the last 30 days, which are among the security events as well',
    erased: 'expires after at most 30 days',
  },
  {
    table: 'known_addresses_by_user',
    exported: 'hashes; the security events have the addresses themselves',
    erased: erasedBy(eraseKnownAddresses, 'user_id'),
  },
  {
    table: 'request_costs_by_caller',
    exported: 'only the cost of the requests of the last minutes',
    erased: 'expires after three minutes',
  },
];
