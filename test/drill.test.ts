import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { auth, Client as Driver } from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { appContext } from '../src/app/app-context.ts';
import { makeLogger } from '../src/app/logger.ts';
import { connectCassandra } from '../src/cassandra/client.ts';
import { readConfig } from '../src/config/config.ts';
import { checkSchema } from '../src/schema/check.ts';
import { withSchemaClient } from '../src/schema/client.ts';
import { migrate } from '../src/schema/migrate.ts';
import { closeLog } from '../src/transactions/recovery.worker.ts';
import { freePort, nodetoolOf } from '../tools/launch/embedded.ts';
import { backUp } from '../tools/backup/backup.ts';
import type { Manifest } from '../tools/backup/manifest.ts';
import { nodetoolBy, type Nodetool } from '../tools/backup/node.ts';
import { begin, finish, load } from '../tools/backup/restore.ts';
import { judgeRights } from '../tools/doctor/rights.ts';
import { loseAndBringBack, startDrill, type Drill } from '../tools/drill/drill.ts';
import { Ends } from '../tools/support/ends.ts';
import { makeLogin, makeRoles } from '../tools/support/roles.ts';
import { startServerProcess } from './support/app.ts';
import { Client } from './support/client.ts';
import { some } from './support/full.ts';
import { strikeOut } from './support/transactions.ts';

/**
 * The work of an operator on a node of its own that demands a login: lost tables are brought back,
 * each role has its rights alone, and a password changes while a server runs.
 */

/** The port of the node. Another run of the tests has its own. */
let port: number;
/** This limit only ends a test that hangs. */
const HANGS_AFTER = { timeout: 300_000 };
const ROLES = {
  server_1: 'library_server',
  migration_1: 'library_migration',
  backup_1: 'library_backup',
  reader_1: 'library_reader',
};

type Login = keyof typeof ROLES;
/** Every login has a password of its own. */
const passwordOf = (login: Login) => `of ${login}`;

const ends = new Ends();
let drill: Drill;
let backup: string;
beforeAll(async () => {
  port = await freePort();
  const secured = await startDrill(ends, 1, port, { isSecured: true, isTemporary: true });
  const asServer = environmentOf(secured, 'server_1');
  drill = {
    ...secured,
    backUp: (to) => backUp(configOf('backup_1').cassandra, nodetool(), to),
    restore: restoreStepByStep,
    start: async () => {
      const server = await startServerProcess(asServer);
      ends.add(server.stop);
      return server;
    },
  };
  backup = join(drill.folder, 'backup');
  await makeRoles(drill.execute, drill.environment['CASSANDRA_KEYSPACE']!);
  for (const login of Object.keys(ROLES) as Login[])
    await makeLogin(drill.execute, login, passwordOf(login), ROLES[login]);
});
afterAll(() => ends.all());

const environmentOf = ({ environment }: Drill, login: Login) => ({
  ...environment,
  CASSANDRA_USERNAME: login,
  CASSANDRA_PASSWORD: passwordOf(login),
});
const configOf = (login: Login) => readConfig(environmentOf(drill, login));

/**
 * Restores tables. Between the steps no server starts and no other restore begins, and each step
 * can be ended and repeated.
 */
async function restoreStepByStep(from: string, ...given: readonly string[]): Promise<void> {
  const [, tables = ''] = given;
  await begin(config(), from, tables.split(','));
  await drill.tool('restore', 'begin', '--from', from, ...given);
  // A server checks the schema before anything else.
  await expect(checkSchema(config().cassandra)).rejects.toThrow(/is being restored from a backup/);
  await expect(begin(config(), from, undefined)).rejects.toThrow(/A restore of other tables is/);
  await expect(finish(config(), nodetool(), [])).rejects.toThrow(/has not loaded its part/);

  let loaded = 0;
  const failing: Nodetool = (...command) =>
    command[0] === 'import' && ++loaded > 2 ? Promise.reject(new Error('ended')) : nodetool()(...command);
  await expect(load(config(), failing, from)).rejects.toThrow('ended');
  await load(config(), nodetool(), from);
  const noIds = join(drill.folder, 'no-ids');
  await writeFile(noIds, 'somebody\n');
  await expect(finish(config(), nodetool(), [noIds])).rejects.toThrow(
    /a line that is not the id of an account: somebody/,
  );
  await drill.tool('restore', 'finish', '--erased', drill.environment['ERASED_IDS_FILE']!);
  stepsDone++;
}
let stepsDone = 0;

test('what is lost comes back step by step, new changes are shown, and the deleted stay deleted', async () => {
  expect(await loseAndBringBack(drill, backup)).toEqual([]);
  expect(stepsDone).toBe(1);
});

/** Logs in to the node for some statements. */
async function withLogin<Result>(
  username: string,
  password: string,
  work: (execute: (statement: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const [node] = drill.nodes;
  const driver = new Driver({
    contactPoints: [`${node!.address}:${port}`],
    localDataCenter: 'datacenter1',
    authProvider: new auth.PlainTextAuthProvider(username, password),
    isMetadataSyncEnabled: false,
  });
  try {
    return await work((statement) => driver.execute(statement));
  } finally {
    await driver.shutdown();
  }
}

/** Returns why a statement is refused to a login; undefined if it is not. */
const refusalTo = (login: Login, statement: string): Promise<string | undefined> =>
  withLogin(login, passwordOf(login), (execute) =>
    execute(statement).then(
      () => undefined,
      (error: unknown) => String(error),
    ),
  );

test('the migration may change the schema, and a reader and a backup may read alone', async () => {
  await migrate(configOf('migration_1').cassandra, () => undefined);
  expect(await refusalTo('migration_1', 'CREATE TABLE drill.another (id int PRIMARY KEY)')).toBeUndefined();
  expect(await refusalTo('migration_1', 'DROP TABLE drill.another')).toBeUndefined();
  expect(await refusalTo('reader_1', 'SELECT * FROM drill.books LIMIT 1')).toBeUndefined();
  for (const login of ['reader_1', 'backup_1'] as const)
    expect(await refusalTo(login, 'TRUNCATE drill.books')).toContain('has no MODIFY permission');
});

test('npm run admin -- doctor judges the rights of a role', async () => {
  const env = environmentOf(drill, 'server_1');
  const ofServer = await promisify(execFile)(process.execPath, ['tools/admin/doctor.ts'], { env });
  expect(ofServer.stdout).toMatch(/ok {4}rights of server_1: MODIFY, SELECT\n/);
  const { cassandra } = config();
  const ofSuperuser = await withSchemaClient(cassandra, undefined, (client) =>
    judgeRights(client, cassandra.keyspace, cassandra.credentials?.username, []),
  );
  expect(ofSuperuser).toMatchObject([{ verdict: 'warn', what: 'rights of cassandra', found: 'all, as a superuser' }]);
});

const folderOfPart = async (of: string) => join(of, (await readdir(of))[0]!);
/** The steps of a restore, in this process. */
const config = () => readConfig(drill.environment);
const nodetool = () => nodetoolBy(nodetoolOf(drill.nodes[0]!.dataFolder));
const rowsOfItems = () => drill.execute('SELECT item_id FROM items');

type Change = (manifest: Manifest, part: string) => unknown;

/** Makes a copy of the backup with a change. */
async function changed(change: Change): Promise<string> {
  const copy = join(drill.folder, 'changed');
  await rm(copy, { recursive: true, force: true });
  await cp(backup, copy, { recursive: true });
  const part = await folderOfPart(copy);
  const file = join(part, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await change(manifest, part);
  await writeFile(file, JSON.stringify(manifest));
  return copy;
}

const itemsIn = ({ tables }: Manifest) => tables.find(({ name }) => name === 'items')!;

describe('a restore is refused, and nothing is changed, for', () => {
  test.for<[string, Change, RegExp]>([
    [
      'a wrong checksum',
      async (manifest, part) => {
        const { name } = itemsIn(manifest).files.find((file) => file.name.endsWith('Data.db'))!;
        const path = join(part, 'drill', 'items', name);
        const bytes = await readFile(path);
        bytes[0]! ^= 1;
        await writeFile(path, bytes);
      },
      /The file \S+items\/\S+Data\.db differs from the backed-up file/,
    ],
    [
      'a file that is missing',
      (manifest, part) => rm(join(part, 'drill', 'items', itemsIn(manifest).files[0]!.name)),
      /The backup lacks the file \S+items/,
    ],
    [
      'a newer release',
      (manifest) => (manifest.release = '99.0.0'),
      /was made by release 99\.0\.0, but this is release/,
    ],
    [
      'a column that the keyspace lacks',
      (manifest) => itemsIn(manifest).columns.push({ name: 'weight', type: 'int', kind: 'regular', position: -1 }),
      /the column items\.weight is missing\. Restore it with release/,
    ],
    [
      'a table that the backup lacks',
      (manifest) => (manifest.tables = manifest.tables.filter(({ name }) => name !== 'items')),
      /has no table items/,
    ],
    ['another ring', (manifest) => (manifest.ring[0]!.tokens = ['1']), /a ring of 1 nodes whose tokens differ/],
    ['another keyspace', (manifest) => (manifest.keyspace = 'other'), /has the keyspace other/],
    ['a manifest that is none', (manifest) => Object.assign(manifest, { node: null }), /manifest\.json cannot be read/],
  ])('%s', async ([, change, message]) => {
    const before = await rowsOfItems();
    await expect(begin(config(), await changed(change), undefined)).rejects.toThrow(message);
    expect(await rowsOfItems()).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  });

  test('a server that is running', async () => {
    const cassandra = await connectCassandra(config().cassandra);
    const server = appContext({ config: config(), cassandra, logger: makeLogger('fatal') });
    const before = await rowsOfItems();
    await strikeOut(server);
    const beating = setInterval(() => void strikeOut(server), 1_000);
    onTestFinished(async () => {
      clearInterval(beating);
      await closeLog(server);
      await cassandra.client.shutdown();
    });
    await expect(begin(config(), backup, undefined)).rejects.toThrow(/1 servers are running/);
    expect(await rowsOfItems()).toEqual(before);
    await checkSchema(config().cassandra);
  });

  test.for<[string, () => Promise<unknown>, RegExp]>([
    ['a folder without a backup', () => begin(config(), '/nowhere', undefined), /\/nowhere has no backup/],
    ['a derived table', () => begin(config(), backup, ['items_by_book']), /is derived: `npm run admin -- rebuild/],
    [
      'a table that is not restored',
      () => begin(config(), backup, ['trending']),
      /is not a table that can be restored/,
    ],
    ['a load before the begin', () => load(config(), nodetool(), backup), /No restore of drill has begun/],
    ['an end before the begin', () => finish(config(), nodetool(), []), /No restore of drill has begun/],
  ])('%s', async ([, step, message]) => {
    await expect(step()).rejects.toThrow(message);
  });

  test.for<[string[], RegExp]>(
    some<[string[], RegExp]>(
      [
        [['restore', 'begin'], /--from is needed/],
        [['restore', 'finish'], /--erased is needed/],
        [['restore', 'load', '--from', 'a folder', '--table', 'items'], /--table belongs to begin/],
        [['restore', 'go'], /the step is begin, load or finish/],
        [['backup'], /--to is needed/],
      ],
      2,
    ),
  )('%s', async ([[name, ...given], message]) => {
    await expect(drill.tool(name!, ...given)).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringMatching(message) as unknown,
    });
  });
});

test('a server serves with its rights alone, and with a password that is changed while it runs', async () => {
  const file = join(drill.folder, 'password');
  await writeFile(file, `${passwordOf('server_1')}\n`);
  const { CASSANDRA_PASSWORD: _in, ...environment } = environmentOf(drill, 'server_1');
  // It starts after a restore.
  const server = await startServerProcess({ ...environment, CASSANDRA_PASSWORD_FILE: file, LOG_LEVEL: 'info' });
  const reader = await new Client(server.url).registerSomebody();
  expect(await refusalTo('server_1', 'ALTER TABLE drill.books ADD another int')).toContain('has no ALTER permission');

  // Cassandra refuses to change a password twice within five seconds.
  const change = "ALTER ROLE server_1 WITH PASSWORD = 'of tomorrow'";
  await vi.waitFor(() => drill.execute(change), HANGS_AFTER);
  await writeFile(file, 'of tomorrow');
  server.process.kill('SIGHUP');
  await expect.poll(server.printed).toContain('secrets and certificates were read again');

  // The server has to log in again once the node has closed all its connections.
  await nodetool()('disablebinary', '--force');
  await nodetool()('enablebinary');
  await expect
    .poll(async () => (await new Client(server.url).login(reader.email).catch(() => undefined))?.viewerId)
    .toBe(reader.viewerId);
});

test('a backup does not overwrite another one, and its error names the nodetool that it needs', async () => {
  const { cassandra } = config();
  await expect(backUp(cassandra, nodetool(), backup)).rejects.toThrow(/already has a backup of this node/);
  await expect(backUp(cassandra, nodetoolBy('false'), backup)).rejects.toThrow(
    /`false info` failed; use --nodetool for another command/,
  );
});
