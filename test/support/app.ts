import { randomBytes } from 'node:crypto';
import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client as CassandraClient } from 'cassandra-driver';
import { inject } from 'vitest';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context/context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { createServer } from '../../src/http/server.ts';
import { passwordHashing } from '../../src/passwords/passwords.ts';
import { startWorkers } from '../../src/app/workers.ts';
import { Client } from './client.ts';
import { appContext } from '../../src/app/app-context.ts';
import { LOWEST_UUID } from '../../src/cassandra/orders.ts';
import { transactionLog } from '../../src/transactions/log.ts';
import { strikeOut } from './transactions.ts';
import { dropKeyspaces, emptyKeyspace } from './keyspaces.ts';
import { jsonRows } from '../../tools/support/patience.ts';
import { makeReleasedKeyspace } from './released-keyspace.ts';
import { startProcess, WITHOUT_LIMITS, type ServerProcess } from '../../tools/support/process.ts';
import { makeTestKeyspace } from '../../tools/support/test-keyspace.ts';

/**
 * Functions that end the objects that the test file started. There is one list because Vitest never
 * calls a hook that another hook adds.
 */
const ends: (() => Promise<unknown>)[] = [];

/** Registers a function that runs when the test file ends. */
export const endWithFile = (end: () => unknown): void => {
  ends.push(() => Promise.resolve(end()));
};

/** Ends the objects that the test file started, last first. */
export async function endAll(): Promise<void> {
  apps.length = 0;
  for (let end = ends.pop(); end; end = ends.pop()) await end();
}

/** Makes the name of a keyspace that nothing has used yet. */
export const newName = () => `${inject('keyspacePrefix')}${randomBytes(6).toString('hex')}`;

/** The path of the file that marks a keyspace as empty and unused. */
const emptied = (name = '') => join(inject('folder'), 'emptied', name);

/** Takes a keyspace that a test file of any worker emptied; `undefined` if none is left. */
function takeEmptied(): string | undefined {
  for (const name of readdirSync(emptied())) {
    try {
      unlinkSync(emptied(name));
      return name;
    } catch {
      // Another worker has taken the keyspace.
    }
  }
  return undefined;
}

/**
 * Names a keyspace for this test file alone. When the file ends, the keyspace is emptied for a
 * later file of any worker: every keyspace of a node makes changes of a schema slower.
 */
function ownName(): string {
  const name = takeEmptied() ?? newName();
  ends.push(async () => {
    const isThere = await emptyKeyspace(readConfig(testEnvironment({ CASSANDRA_KEYSPACE: name })).cassandra);
    if (isThere) writeFileSync(emptied(name), '');
  });
  return name;
}

/**
 * The password hashing that servers of this process share, by settings. Its process ends with this
 * one.
 */
const hashings = new Map<string, AppContext['passwords']>();

function sharedHashing({ argon2id }: Config['passwords']): AppContext['passwords'] {
  const settings = JSON.stringify(argon2id);
  const shared = hashings.get(settings) ?? passwordHashing(argon2id);
  hashings.set(settings, shared);
  return shared;
}

/** The servers that the test file started in this process. */
const apps: AppContext[] = [];

/** A server in this process for one test file, with a client over HTTP. */
export interface TestServer {
  readonly url: string;
  readonly app: AppContext;
  /** Makes a new client, signed out. */
  readonly client: () => Client;
  /**
   * Lists the tables with rows that contain any of these texts, in any column. It reads all rows,
   * so a file that calls it has its own keyspace.
   */
  readonly rowsAbout: (texts: readonly string[]) => Promise<string[]>;
}

/** The settings of a test file: by default a separate keyspace on the run's Cassandra. */
export function testEnvironment(more: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  return {
    ...process.env,
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: process.env['DEBUG_LEVEL'] ?? 'fatal',
    CASSANDRA_CONTACT_POINTS: inject('contactPoints'),
    CASSANDRA_KEYSPACE: more['CASSANDRA_KEYSPACE'] ?? ownName(),
    ACCESS_TOKEN_SECRET: 'a secret of this test run, and of no other',
    TWO_FACTOR_KEYS: Buffer.alloc(32, 'a key of this test run').toString('base64'),
    SAMPLE_DATA: 'off',
    MAIL_FOLDER: join(inject('folder'), `mails-${randomBytes(6).toString('hex')}`),
    // All requests come from one address. Tests of limits use their own settings.
    ...WITHOUT_LIMITS,
    // Many tests have their own clock.
    CLOCK_SKEW_MAX_MS: '0',
    // Tests expect that a reader immediately sees the changes of another one.
    SHOWN_AGE_MAX_MS: '0',
    QUERIES_MAX: '100000',
    MUTATIONS_MAX: '100000',
    // The minimum memory, because most tests do not depend on the cost of a hash.
    ARGON2_MEMORY_KIB: '8192',
    ARGON2_PASSES: '1',
    ...more,
  };
}

/**
 * Uses the keyspace that test files share, for a file that reads only its own readers and books.
 * @param more settings of this file
 */
export async function sharedKeyspace(more: Record<string, string | undefined> = {}): Promise<Config> {
  const config = readConfig(testEnvironment({ CASSANDRA_KEYSPACE: inject('sharedKeyspace'), ...more }));
  // The first test file makes the keyspace.
  await makeTestKeyspace(config.cassandra);
  return config;
}

/**
 * Uses a keyspace for one test file alone, which reads whole tables or the sample's books, or runs
 * the workers.
 */
export async function ownKeyspace(environment = testEnvironment()): Promise<Config> {
  const config = readConfig(environment);
  await makeTestKeyspace(config.cassandra);
  return config;
}

/**
 * Makes a keyspace for a test that changes the schema or the replication. It is dropped with the
 * test file.
 */
export async function alterableKeyspace(): Promise<Config> {
  const config = readConfig(testEnvironment({ CASSANDRA_KEYSPACE: newName() }));
  ends.push(() => dropKeyspaces(config.cassandra, config.cassandra.keyspace));
  await makeTestKeyspace(config.cassandra);
  return config;
}

/** Makes a keyspace with the schema of the last release. It is dropped with the test file. */
export async function releasedKeyspace(): Promise<Config> {
  const config = readConfig(testEnvironment({ CASSANDRA_KEYSPACE: newName() }));
  ends.push(() => dropKeyspaces(config.cassandra, config.cassandra.keyspace));
  await makeReleasedKeyspace(config.cassandra);
  return config;
}

/**
 * Starts a server in this process, and ends it with the test file. A second call starts a second
 * server.
 * @param options `workers`: with the background workers, as `npm start` runs them
 */
export async function startServer(
  config: Config,
  options: { workers?: boolean } & Partial<Pick<AppContext, 'clock' | 'monotonicNow' | 'atCrashPoint' | 'logger'>> = {},
): Promise<TestServer> {
  const { workers = false, ...hooks } = options;
  const cassandra = await connectCassandra(config.cassandra);
  const passwords = sharedHashing(config.passwords);
  const app = appContext({ config, cassandra, logger: makeLogger(config.log.level), passwords, ...hooks });
  apps.push(app);
  const server = await createServer(app);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const stopWorkers = workers ? await startWorkers(app) : () => Promise.resolve();
  ends.push(async () => {
    await server.close();
    await stopWorkers();
    await cassandra.client.shutdown();
  });
  return { url, app, client: () => new Client(url), rowsAbout: (texts) => tablesWith(app, texts) };
}

/**
 * Starts a process as {@link startProcess} does, and kills it at the latest when the test file
 * ends.
 */
export function startServerProcess(...given: Parameters<typeof startProcess>): Promise<ServerProcess> {
  const starting = startProcess(...given);
  ends.push(() =>
    starting.then(
      (server) => server.process.kill('SIGKILL'),
      () => undefined,
    ),
  );
  return starting;
}

async function tablesWith({ cassandra: { client } }: AppContext, texts: readonly string[]): Promise<string[]> {
  // Complete transactions would remain in the log for another second or two.
  for (const app of apps) if (transactionLog(app).own) await strikeOut(app);
  const found: string[] = [];
  for (const table of await tablesOf(client)) {
    // A like or rating that was taken back has no name or stars any more and expires by its TTL
    // after a day, as does a tombstone. A shard of the followers of a reader remains. Announcements
    // of changes expire within minutes.
    const isLeft = (text: string) =>
      table !== 'changes_by_time' &&
      !(/^(\w+_by_user|reports)$/.test(table) && text.includes(`"change_id": "${LOWEST_UUID}"`)) &&
      !(
        table === 'user_by_item' &&
        text.includes('"liked": false') &&
        text.includes('"full_name": null') &&
        !texts.some((each) => text.includes(`"likeable_id": "User:${each}"`))
      ) &&
      !(table === 'raters_by_book' && text.includes('"liked": false') && text.includes('"quarters": null'));
    const rows = await jsonRows(client, table);
    if (rows.some((text) => texts.some((each) => text.includes(each)) && isLeft(text))) found.push(table);
  }
  return found.toSorted();
}

async function tablesOf(client: CassandraClient): Promise<string[]> {
  const { rows } = await client.execute(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
    [client.keyspace],
    { prepare: true },
  );
  return rows.map((row) => row['table_name'] as string);
}
