import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { register } from 'prom-client';
import { appContext } from '../../src/app/app-context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { SAMPLE } from '../places.ts';
import { everyAudit } from '../../src/app/workers.ts';
import { audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { LOWEST_UUID } from '../../src/cassandra/orders.ts';
import { importBooks } from '../../src/catalogue/import.ts';
import { readConfig } from '../../src/config/config.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { measureRepairs } from '../../src/cassandra-repair/repairs.worker.ts';
import { nodetoolOf } from '../launch/embedded.ts';
import { say } from '../../src/terminal/progress.ts';
import { startCluster, SUPERUSER, type ClusterNode } from '../support/test-cluster.ts';
import { Client, PASSWORD } from '../support/client.ts';
import { Ends } from '../support/ends.ts';
import { startProcess, WITHOUT_LIMITS, type ServerProcess } from '../support/process.ts';
import { makeTestKeyspace } from '../support/test-keyspace.ts';

const KEYSPACE = 'drill';
const BOOKS = 10;
const READERS = 5;
const EXECUTED_WITHIN_MS = 120_000;
/** Less than the time since the keyspace was created. */
const REPAIRED_WITHIN_SECONDS = 60;

/** The commands of an operator, and the readers who return afterwards. */
export interface Drill {
  readonly nodes: readonly ClusterNode[];
  readonly folder: string;
  /** The environment of a server and of the tools. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs a tool of the project to its end, and returns its output. */
  readonly tool: (name: string, ...given: readonly string[]) => Promise<string>;
  readonly backUp: (to: string) => Promise<void>;
  readonly restore: (from: string, ...given: readonly string[]) => Promise<void>;
  readonly execute: (cql: string, params?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  readonly start: () => Promise<ServerProcess>;
  /** Compares everything with its sources of truth, and returns the drift. */
  readonly drift: () => Promise<string[]>;
  /** Returns `repair_age_seconds` as measured by a server. */
  readonly repairAge: () => Promise<number>;
}

/**
 * Starts nodes on which only some books are stored.
 * @param count 1 or 3
 * @param port the port for clients; the nodes talk to each other on the next one
 * @param given `isSecured`: clients must log in, and the environment is that of the superuser;
 *   `isTemporary`: no node is killed, so that nothing need be written to a disk at once
 */
export async function startDrill(
  ends: Ends,
  count: number,
  port: number,
  { isSecured = false, isTemporary = false } = {},
): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-drill-'));
  ends.add(() => rm(folder, { recursive: true, force: true }));
  const dataCentres = Array.from({ length: count }, () => 'datacenter1');
  const { nodes, stop } = await startCluster(join(folder, 'nodes'), port, dataCentres, {
    isSecured,
    isTemporary,
    isShort: true,
  });
  ends.add(stop);

  const environment = {
    ...process.env,
    ...WITHOUT_LIMITS,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    PORT: '0',
    CASSANDRA_CONTACT_POINTS: nodes.map(({ address }) => `${address}:${port}`).join(','),
    CASSANDRA_KEYSPACE: KEYSPACE,
    ...(isSecured && { CASSANDRA_USERNAME: SUPERUSER.username, CASSANDRA_PASSWORD: SUPERUSER.password }),
    CASSANDRA_REPLICATION_FACTOR: String(count),
    ACCESS_TOKEN_SECRET: randomBytes(48).toString('base64'),
    ERASED_IDS_FILE: join(folder, 'erased-ids'),
    ARGON2_MEMORY_KIB: '8192',
    ARGON2_PASSES: '1',
    DRAIN_SECONDS: '0',
  };
  const tool = async (name: string, ...given: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [`tools/admin/${name}.ts`, ...given], {
      env: environment,
    });
    return stdout;
  };
  const config = readConfig(environment);
  await (isTemporary ? makeTestKeyspace(config.cassandra) : tool('migrate', 'apply'));

  const cassandra = await connectCassandra(config.cassandra);
  ends.add(() => cassandra.client.shutdown());
  const app = appContext({ config, cassandra, logger: makeLogger('fatal') });
  await importBooks(app, SAMPLE, { rowsMax: BOOKS });

  const ofNode = ({ dataFolder }: ClusterNode) => ['--nodetool', nodetoolOf(dataFolder)];
  return {
    nodes,
    folder,
    environment,
    tool,
    backUp: async (to) => {
      for (const node of nodes) await tool('backup', '--to', to, ...ofNode(node));
    },
    restore: async (from, ...given) => {
      const [first] = nodes;
      await tool('restore', 'begin', '--from', from, ...given);
      for (const node of nodes) await tool('restore', 'load', '--from', from, ...ofNode(node));
      const erased = ['--erased', environment.ERASED_IDS_FILE];
      await tool('restore', 'finish', ...erased, ...(first ? ofNode(first) : []));
    },
    execute: async (cql, params) => {
      // A DROP may take a long time.
      const options = { readTimeout: EXECUTED_WITHIN_MS, prepare: params !== undefined };
      return (await cassandra.client.execute(cql, params, options)).rows;
    },
    start: async () => {
      const server = await startProcess(environment);
      ends.add(server.stop);
      return server;
    },
    drift: async () => {
      const found: string[] = [];
      const backOff = (ms: number) => cassandra.backOff(Math.min(ms, 5));
      const impatient = { ...app, cassandra: { ...cassandra, backOff } };
      for await (const { drift, unreadable } of audit(impatient, everyAudit, EVERYTHING, false)) {
        found.push(...drift.map(({ table, what }) => `${table} has drifted: ${what}`));
        found.push(...unreadable.map(({ table, partition }) => `${table} is unreadable: ${partition}`));
      }
      return found;
    },
    repairAge: async () => {
      await measureRepairs(app);
      return Number((await register.getSingleMetricAsString('repair_age_seconds')).split(' ').at(-1));
    },
  };
}

/** A reader with a copy for sale. */
interface Seller {
  readonly reader: Client;
  readonly itemId: string;
}

/** Registers a reader and makes changes of each kind. */
async function arrive(url: string, book: string): Promise<Seller> {
  const reader = await new Client(url).registerSomebody();
  await reader.like(book);
  await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
  const copy = { bookId: book, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
  const { item } = (await reader.mutate('listItem', copy, 'item { id }')) as { item: { id: string } };
  return { reader, itemId: item.id };
}

/** Checks after a restore that readers can log in, and that their new changes are shown. */
async function comeBack(url: string, { reader, itemId }: Seller, book: string): Promise<string[]> {
  const again = await new Client(url).login(reader.email);
  const price = { amount: '8', currency: 'EUR' };
  await again.mutate('changePrice', { itemId, price }, 'item { id }');
  await again.unlike(book);
  await again.like(book);
  const shown = (await again.data(
    `{ viewer { listings(first: 10) { nodes { id price { amount } } } }
       node(id: "${book}") { ... on Book { viewerHasLiked likers(first: 50) { nodes { id } } } } }`,
  )) as {
    viewer: { listings: { nodes: { id: string; price: { amount: string } }[] } };
    node: { viewerHasLiked: boolean; likers: { nodes: { id: string }[] } };
  };
  const problems: string[] = [];
  if (shown.viewer.listings.nodes.find(({ id }) => id === itemId)?.price.amount !== '8.00')
    problems.push(`A new price is not shown: ${JSON.stringify(shown.viewer.listings.nodes)}`);
  if (!shown.node.viewerHasLiked || !shown.node.likers.nodes.some(({ id }) => id === reader.viewerId))
    problems.push('A new like is not shown');
  return problems;
}

/**
 * Destroys tables, and on three nodes also a disk and all data, and restores them.
 * @param backup the folder for the backup
 * @returns the problems after that, as sentences
 */
export async function loseAndBringBack(drill: Drill, backup: string): Promise<string[]> {
  const { nodes, tool, backUp, restore, execute, start, drift, repairAge } = drill;
  const problems: string[] = [];
  const check = async (what: string, url: string, sellers: readonly Seller[], book: string) => {
    for (const seller of sellers) problems.push(...(await comeBack(url, seller, book)));
    problems.push(...(await drift()));
    say(`${what}: ${problems.length} problems`);
  };
  let server = await start();
  const [first] = await execute('SELECT book_id FROM books LIMIT 1');
  const book = encodeId({ type: 'Book', key: String(first?.['book_id']) });
  const sellers = await Promise.all(Array.from({ length: READERS }, () => arrive(server.url, book)));

  await backUp(backup);
  say('backed up, under a running server');

  const [leaving, ...staying] = sellers as [Seller, ...Seller[]];
  await leaving.reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
  const gone = Buffer.from(leaving.reader.viewerId, 'base64url').toString().slice('User:'.length);
  const later = await arrive(server.url, book);
  const fleeting = await arrive(server.url, book);
  await fleeting.reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');

  await execute('DROP TABLE IF EXISTS items_by_book');
  await tool('rebuild', '--table', 'items_by_book');
  await check('a derived table was lost', server.url, [...staying, later], book);

  await server.stop();
  const epochs = () => execute('SELECT name, epoch FROM leases');
  const before = await epochs();
  for (const table of ['leases', 'items']) await execute(`DROP TABLE IF EXISTS ${table}`);
  await restore(backup, '--table', 'leases,items');
  for (const { name, epoch } of await epochs()) {
    const former = before.find((lease) => lease['name'] === name)?.['epoch'];
    if (Number(epoch) <= Number(former)) problems.push(`The lease ${String(name)} has its former epoch`);
  }
  server = await start();
  await check('leases and copies were lost, and the copies were restored from the backup', server.url, staying, book);
  problems.push(...(await leftOf(execute, gone)));
  const [, second, third] = nodes;
  if (third) {
    await server.stop();
    await restore(backup);
    server = await start();
    await check('everything was lost, and was restored from the backup', server.url, staying, book);
    problems.push(...(await leftOf(execute, gone)));

    third.signal('SIGKILL');
    await third.replace();
    await promisify(execFile)(nodetoolOf(third.dataFolder), ['repair', '--full', KEYSPACE]);
    const age = await repairAge();
    if (age < 0 || age > REPAIRED_WITHIN_SECONDS) problems.push(`repair_age_seconds is ${age} after a repair`);
    second?.signal('SIGKILL');
    await check('a disk was lost, and then another node', server.url, staying, book);
  }
  await server.stop();
  return problems;
}

/** Returns the remaining rows of a reader who has deleted their account. */
async function leftOf(execute: Drill['execute'], userId: string): Promise<string[]> {
  const places = ['items_by_seller WHERE seller_id', 'likes_by_user WHERE user_id', 'readings_by_user WHERE user_id'];
  const found = await Promise.all(
    places.map(async (where) => ({ where, rows: await execute(`SELECT * FROM ${where} = ${userId}`) })),
  );
  const [account] = await execute(`SELECT state FROM users_by_id WHERE user_id = ${userId}`);
  const { email } = (account?.['state'] ?? {}) as { email?: string };
  return [
    ...found.flatMap(({ where, rows }) =>
      rows.some(isMade) ? [`${where} = ${userId} exists again after the account was deleted`] : [],
    ),
    ...(email ? ['A deleted account has its email again'] : []),
  ];
}

/** Returns whether a row has more than the tombstone of erased data. */
function isMade(row: Readonly<Record<string, unknown>>): boolean {
  const state = row['state'] as { change_id?: unknown } | undefined;
  return state === undefined || String(state.change_id) !== LOWEST_UUID;
}
