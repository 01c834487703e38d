import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eraseAgain } from '../src/accounts/changes.ts';
import { ownKeyspace, startServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';
import { PASSWORD } from './support/client.ts';
import { keyOf } from './support/ids.ts';

test('after a restore an account is erased again, whether the backup has it, has it as deleted, or is older', async () => {
  const server = await startServer(await ownKeyspace());
  await importSample(server.app, 10);
  const [book = ''] = await bookIds(server);
  const reader = await server.client().registerSomebody('Rita Restored');
  const userId = keyOf(reader.viewerId);
  await reader.like(book);

  await eraseAgain(server.app, userId);
  expect(await server.rowsAbout([userId])).toEqual(['users_by_id']);
  const { userErrors } = await server
    .client()
    .mutate('login', { email: reader.email, password: PASSWORD }, '__typename');
  expect(userErrors).toMatchObject([{ code: 'INVALID_CREDENTIALS' }]);
  await eraseAgain(server.app, userId);

  const older = randomUUID();
  await eraseAgain(server.app, older);
  expect(await server.rowsAbout([older])).toEqual([]);
});
