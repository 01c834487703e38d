import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseKnownAddresses } from './tables.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'tries_by_subject',
    exported: 'only when tries with a password failed, of the last 30 days; the security events say it as well',
    erased: 'goes by itself after 30 days at most',
  },
  {
    table: 'known_addresses_by_user',
    exported: 'hashes; the security events have the addresses themselves',
    erased: erasedBy(eraseKnownAddresses, 'user_id'),
  },
  {
    table: 'request_costs_by_caller',
    exported: 'only how much was asked for within the last minutes',
    erased: 'goes by itself after three minutes',
  },
];
