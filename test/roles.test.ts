import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { auth, Client as Driver } from 'cassandra-driver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PLACES } from '../tools/places.ts';
import { nodetoolOf, startNode, type RunningNode } from '../tools/launch/embedded.ts';
import { makeLogin, makeRoles } from '../tools/support/roles.ts';
import { startServerProcess, testEnvironment } from './support/app.ts';
import { Client } from './support/client.ts';

/** Roles on a separate node that requires a login, and a password that changes meanwhile. */

const PLACE = { address: '127.0.0.9', nativePort: 9042, storagePort: 7000, isSecured: true, isShort: true };
/** This limit only ends a test that hangs. */
const HANGS_AFTER = { timeout: 300_000 };
const KEYSPACE = 'library';
const PASSWORDS = {
  server_1: 'of the server',
  migration_1: 'of the migration',
  backup_1: 'of backups',
  reader_1: 'of a reader',
};
const ROLES = {
  server_1: 'library_server',
  migration_1: 'library_migration',
  backup_1: 'library_backup',
  reader_1: 'library_reader',
};

let folder: string;
let node: RunningNode;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roles-'));
  node = await startNode(PLACES.folder, { ...PLACE, dataFolder: join(folder, 'data') }, () => undefined);
  // The first superuser is made a moment after the node answers.
  await vi.waitFor(() => withLogin('cassandra', 'cassandra', (execute) => execute('LIST ROLES')), HANGS_AFTER);
  await tool('migrate.ts', ['apply'], 'cassandra', 'cassandra');
  await withLogin('cassandra', 'cassandra', async (execute) => {
    await makeRoles(execute, KEYSPACE);
    for (const [login, role] of Object.entries(ROLES))
      await makeLogin(execute, login, PASSWORDS[login as keyof typeof PASSWORDS], role);
  });
});
afterAll(async () => {
  await node.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command of the node. */
const nodetool = (...given: readonly string[]) => promisify(execFile)(nodetoolOf(join(folder, 'data')), given);

/** Returns the settings of a server that logs in to the node. */
const environmentOf = (username: string, more: Record<string, string | undefined>) =>
  testEnvironment({
    NODE_ENV: 'production',
    CASSANDRA_CONTACT_POINTS: `${PLACE.address}:${PLACE.nativePort}`,
    CASSANDRA_REPLICATION_FACTOR: '1',
    CASSANDRA_KEYSPACE: KEYSPACE,
    CASSANDRA_USERNAME: username,
    ...more,
  });

/** Runs a tool of the project to its end, and returns its output. */
async function tool(name: string, given: readonly string[], username: string, password: string): Promise<string> {
  const env = environmentOf(username, { CASSANDRA_PASSWORD: password });
  const { stdout } = await promisify(execFile)(process.execPath, [`tools/admin/${name}`, ...given], { env });
  return stdout;
}

/** Logs in to the node for some statements. */
async function withLogin<Result>(
  username: string,
  password: string,
  work: (execute: (statement: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const driver = new Driver({
    contactPoints: [PLACE.address],
    localDataCenter: 'datacenter1',
    authProvider: new auth.PlainTextAuthProvider(username, password),
  });
  try {
    return await work((statement) => driver.execute(statement));
  } finally {
    await driver.shutdown();
  }
}

/** Returns why a statement is refused to a login; undefined if it is not. */
const refusal = (login: keyof typeof PASSWORDS, statement: string): Promise<string | undefined> =>
  withLogin(login, PASSWORDS[login], (execute) =>
    execute(statement).then(
      () => undefined,
      (error: unknown) => String(error),
    ),
  );

test('the role of migrations may change the schema, and the role of a reader may only read', async () => {
  expect(await tool('migrate.ts', ['apply'], 'migration_1', PASSWORDS.migration_1)).not.toContain('refused');
  expect(await refusal('migration_1', 'CREATE TABLE library.another (id int PRIMARY KEY)')).toBeUndefined();
  expect(await refusal('migration_1', 'DROP TABLE library.another')).toBeUndefined();
  expect(await refusal('reader_1', 'SELECT * FROM library.books LIMIT 1')).toBeUndefined();
  expect(await refusal('reader_1', 'TRUNCATE library.books')).toContain('has no MODIFY permission');
});

test('a backup reads alone', async () => {
  const given = ['--to', join(folder, 'backup'), '--nodetool', nodetoolOf(join(folder, 'data'))];
  expect(await tool('backup.ts', given, 'backup_1', PASSWORDS.backup_1)).toContain('the part of the node');
  expect(await refusal('backup_1', 'TRUNCATE library.books')).toContain('has no MODIFY permission');
});

test('npm run admin -- doctor checks the permissions of a role', async () => {
  const ofServer = await tool('doctor.ts', [], 'server_1', PASSWORDS.server_1);
  expect(ofServer).toMatch(/ok {4}rights of server_1: MODIFY, SELECT\n/);
  const ofSuperuser = await tool('doctor.ts', [], 'cassandra', 'cassandra');
  expect(ofSuperuser).toContain('warn  rights of cassandra: all, as a superuser');
});

test('a server runs with only its own permissions, and with a password that is changed while it runs', async () => {
  const file = join(folder, 'password');
  await writeFile(file, `${PASSWORDS.server_1}\n`);
  const environment = environmentOf('server_1', { CASSANDRA_PASSWORD_FILE: file, LOG_LEVEL: 'info' });
  const { url, process, printed } = await startServerProcess(environment);
  const reader = await new Client(url).registerSomebody();
  expect(await refusal('server_1', 'ALTER TABLE library.books ADD another int')).toContain('has no ALTER permission');

  // Cassandra refuses to change a password twice within five seconds.
  const change = "ALTER ROLE server_1 WITH PASSWORD = 'of tomorrow'";
  await vi.waitFor(() => withLogin('cassandra', 'cassandra', (execute) => execute(change)), HANGS_AFTER);
  await writeFile(file, 'of tomorrow');
  process.kill('SIGHUP');
  await expect.poll(printed).toContain('secrets and certificates were read again');

  // The server has to log in again once the node has closed all its connections.
  await nodetool('disablebinary', '--force');
  await nodetool('enablebinary');
  await expect
    .poll(async () => (await new Client(url).login(reader.email).catch(() => undefined))?.viewerId)
    .toBe(reader.viewerId);
});
