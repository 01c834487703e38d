import { setAdministrator } from '../../src/accounts/operations.ts';
import { ANONYMOUS, requestContext } from '../../src/context/context.ts';
import type { TestServer } from './app.ts';
import type { Client } from './client.ts';

/** Registers a reader who may administer the catalogue. */
export async function registerAdministrator({ app, client }: TestServer, fullName?: string): Promise<Client> {
  const administrator = await client().registerSomebody(fullName);
  await setAdministrator(requestContext(app, ANONYMOUS), administrator.email, true);
  return administrator;
}
