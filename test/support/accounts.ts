import type { AccountState } from '../../src/accounts/tables.ts';

/** The account of somebody who has registered, made without the cost of a password. */
export const accountState = (randomId: () => string, now: Date): AccountState => ({
  version: 1,
  changed_at: now,
  change_id: randomId(),
  email: 'somebody@example.com',
  email_claim_id: randomId(),
  email_changed_at: null,
  email_session_id: null,
  password_hash: '',
  password_changed_at: null,
  kept_session_id: null,
  full_name: 'Somebody',
  name_version: 1,
  registered_at: now,
  erased_at: null,
});
