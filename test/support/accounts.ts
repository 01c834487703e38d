import { registered } from '../../src/accounts/authority.ts';
import type { AccountState } from '../../src/accounts/tables.ts';

/** The account of somebody who has registered, made without the cost of a password. */
export const accountState = (randomId: () => string, now: Date): AccountState =>
  registered(
    { randomId },
    { email: 'somebody@example.com', claimId: randomId() },
    { fullName: 'Somebody', passwordHash: '' },
    now,
  );
