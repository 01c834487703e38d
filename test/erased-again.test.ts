import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { eraseAgain } from '../src/accounts/changes.ts';
import { endWithFile, ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';
import { PASSWORD } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { strikeOut } from './support/transactions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await ownKeyspace());
});

test('after a restore an account is erased again, whether the backup has it, has it as deleted, or is older', async () => {
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

test('npm run admin -- erase also erases data that an earlier release did not know, and a wrong file changes nothing', async () => {
  const reader = await server.client().registerSomebody('Rita Former');
  const userId = keyOf(reader.viewerId);
  await reader.mutate('setReadingGoal', { year: 2026, books: 12 }, '__typename');

  // A server of an earlier release does not erase the goals.
  const cassandra = intercepted(server.app.cassandra, ({ cql, values, options, send }) =>
    cql.includes(' FROM reading_goals_by_user ')
      ? server.app.cassandra.client.execute(cql, { ...values, user_id: randomUUID() }, options)
      : send(),
  );
  const former = { ...server.app, cassandra };
  await eraseAgain(former, userId);
  await strikeOut(former);
  expect(await server.rowsAbout([userId])).toEqual(['reading_goals_by_user', 'users_by_id']);

  const folder = await mkdtemp(join(tmpdir(), 'erased-'));
  endWithFile(() => rm(folder, { recursive: true }));
  const file = join(folder, 'erased-ids');
  const env = testEnvironment({ CASSANDRA_KEYSPACE: server.app.config.cassandra.keyspace });
  const erase = (...files: string[]) =>
    promisify(execFile)(process.execPath, ['tools/admin/erase.ts', ...files], { env });
  await writeFile(file, `${userId}\nRita Former\n`);
  await expect(erase(file)).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /has a line that is not the id of an account: Rita Former[^]*Usage: npm run admin -- erase/,
    ),
  });
  await expect(erase()).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('no file is named') });
  expect(await server.rowsAbout([userId])).toEqual(['reading_goals_by_user', 'users_by_id']);

  await writeFile(file, `${userId}\n${userId}\n`);
  expect((await erase(file)).stdout).toMatch(/erasing 1 deleted accounts again/);
  expect(await server.rowsAbout([userId])).toEqual(['users_by_id']);
});
