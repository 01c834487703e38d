import { registered } from '../../src/accounts/aggregate.ts';
import type { AccountState } from '../../src/accounts/tables.ts';
import { versioned } from '../../src/aggregates/state.ts';

/** Makes the state of a registered account, without the cost of hashing a password. */
export const accountState = (randomId: () => string, now: Date): AccountState =>
  versioned<AccountState>(
    registered(
      { email: 'somebody@example.com', reservationId: randomId() },
      { fullName: 'Somebody', passwordHash: '' },
      now,
    ),
    { version: 1, changed_at: now, change_id: randomId() },
  );
