import { setAdministrator } from '../../src/accounts/operations.ts';
import { ANONYMOUS, requestContext } from '../../src/context/context.ts';
import type { TestServer } from './app.ts';
import type { Client } from './client.ts';
import { registered } from '../../src/accounts/aggregate.ts';
import type { AccountState } from '../../src/accounts/tables.ts';
import { versioned } from '../../src/aggregates/aggregate.ts';

/** The account of somebody who has registered, made without the cost of a password. */
export const accountState = (randomId: () => string, now: Date): AccountState =>
  versioned<AccountState>(
    registered(
      { email: 'somebody@example.com', reservationId: randomId() },
      { fullName: 'Somebody', passwordHash: '' },
      now,
    ),
    { version: 1, changed_at: now, change_id: randomId() },
  );

/** Somebody who has just registered, and may keep the catalogue. */
export async function registerAdministrator({ app, client }: TestServer, fullName?: string): Promise<Client> {
  const administrator = await client().registerSomebody(fullName);
  await setAdministrator(requestContext(app, ANONYMOUS), administrator.email, true);
  return administrator;
}
