import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appContext } from '../../src/app/app-context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { isMoved, oldestServer } from '../../src/app/migrations.ts';
import { SAMPLE } from '../places.ts';
import { everyAudit } from '../../src/app/workers.ts';
import { audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { importBooks } from '../../src/catalogue/import.ts';
import { readConfig } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { contract, migrate } from '../../src/schema/migrate.ts';
import { readMigrations, type Migration } from '../../src/schema/migrations.ts';
import { withSchemaClient } from '../../src/schema/client.ts';
import { say } from '../../src/terminal/progress.ts';
import { findDeadLetters } from '../../src/transactions/operations.ts';
import { LATER_MIGRATION, makeLaterRelease, migrationsOf, PROJECT, useLaterSchema } from '../cluster/later-release.ts';
import { Ends } from '../support/ends.ts';
import { startProcess, WITHOUT_LIMITS, type ServerProcess } from '../support/process.ts';
import { makeTestKeyspace } from '../support/test-keyspace.ts';
import { startTestNode } from '../support/test-node.ts';
import { LATER_AUDIENCE } from './later/audience.ts';
import { freePorts, startBalancer, type Ports } from './balancer.ts';
import { Load } from './load.ts';
import { LeaseWatch, statementsSent } from './watch.ts';

const BOOKS = 10;
/**
 * The readers, the longest time between two calls of one, and the number of changes over which the
 * statements are counted.
 */
const LOAD = { readers: 6, pauseMs: 40, measuredChanges: 150 };
/** The same if no round is made. */
const LESS_LOAD = { readers: 3, pauseMs: 120, measuredChanges: 60 };
/** Longer than the interval of HAProxy's checks. */
const STALL_MS = 1_000;
const FINISHED_WITHIN_MS = 300_000;
/** The next holder of a lease begins within this time. */
const LEASE_GAP_MAX_MS = 3_000;
/**
 * The factor by which a change may cost more statements while two releases run at the same time.
 */
const STATEMENTS_FACTOR_MAX = 2;

/** The result of an upgrade, in sentences. */
export interface Upgraded {
  /** Failed requests, and mistakes in the data. */
  readonly problems: readonly string[];
  /** The durations that exceeded their limit. */
  readonly delays: readonly string[];
}

/** The options of {@link upgrade}. */
export interface UpgradeOptions {
  /** A running Cassandra; one is started if it is unset. */
  readonly contactPoints: readonly string[] | undefined;
  /**
   * The number of upgrades and downgrades of both servers before the last upgrade. With 0, one
   * server is upgraded and downgraded while the other one is unchanged.
   */
  readonly rounds: number;
}

/**
 * Upgrades the servers, one after the other, to a later release that writes data unknown to this
 * one, and downgrades them, under load.
 */
export async function upgrade({ contactPoints, rounds }: UpgradeOptions): Promise<Upgraded> {
  const ends = new Ends();
  try {
    return await upgradeUnderLoad(ends, contactPoints, rounds);
  } finally {
    await ends.all();
  }
}

async function upgradeUnderLoad(
  ends: Ends,
  contactPoints: readonly string[] | undefined,
  rounds: number,
): Promise<Upgraded> {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-upgrade-'));
  ends.add(() => rm(folder, { recursive: true, force: true }));
  const node = await startTestNode(contactPoints, true, say);
  ends.add(node.stop);
  const environment = environmentOf(node.contactPoints);
  const { cassandra } = readConfig(environment);
  ends.add(() =>
    withSchemaClient(cassandra, undefined, (client) => client.execute(`DROP KEYSPACE IF EXISTS ${cassandra.keyspace}`)),
  );

  await makeTestKeyspace(cassandra);
  const app = await connect(ends, environment);
  await importBooks(app, SAMPLE, { rowsMax: BOOKS });
  const later = join(folder, 'later');
  await makeLaterRelease(later);
  await useLaterSchema(later);
  const laterMigrations = await readMigrations(migrationsOf(later));

  const [one, two] = [await freePorts(), await freePorts()];
  const servers = new Map<Ports, ServerProcess>();
  ends.add(() => Promise.all([...servers.values()].map((server) => server.stop())));
  const start = async (ports: Ports, release: string, more: Readonly<Record<string, string>> = {}) => {
    const own = { ...environment, ...more, PORT: String(ports.api), METRICS_PORT: String(ports.metrics) };
    servers.set(ports, await startProcess(own, undefined, join(release, 'src/main.ts')));
  };
  await Promise.all([start(one, PROJECT), start(two, PROJECT)]);
  const balancer = await startBalancer(one, two);
  ends.add(balancer.stop);
  const { readers, pauseMs, measuredChanges } = rounds === 0 ? LESS_LOAD : LOAD;
  const load = new Load(balancer.url, await bookIds(app), pauseMs);
  await load.begin(readers);
  const leases = new LeaseWatch([one, two]);
  ends.add(() => leases.end());
  say('two servers of this release are under load, behind HAProxy');

  const costs = new Map<string, number>();
  const measure = async (what: string) => {
    const [sent, changes] = [await statementsSent([one, two]), load.changes];
    while (load.changes < changes + measuredChanges && load.failures.length === 0) await sleep(20);
    costs.set(what, ((await statementsSent([one, two])) - sent) / (load.changes - changes));
  };
  const replaceOne = async (ports: Ports, release: string) => {
    await servers.get(ports)?.stop();
    await Promise.all([start(ports, release), stall(servers.get(ports === one ? two : one))]);
    // The other server must not end before the balancer has seen this one.
    await balancer.serves(ports === one ? 'one' : 'two');
  };
  const replace = async (release: string) => {
    for (const ports of [one, two]) await replaceOne(ports, release);
    say(
      `two servers of ${release === later ? 'the later' : 'this'} release; ` +
        `${load.calls} calls, ${load.failures.length} failed`,
    );
  };

  await measure('this release');
  await migrate(cassandra, say, laterMigrations);
  await replaceOne(one, later);
  await measure('both releases');
  if (rounds === 0) await replaceOne(one, PROJECT);
  for (let round = 1; round <= rounds; round++) {
    await replace(later);
    await replace(PROJECT);
  }
  await replace(later);
  await measure('the later release');
  const ready = { oldestServer: () => oldestServer(cassandra), isMoved: (each: Migration) => isMoved(cassandra, each) };
  await contract(cassandra, say, LATER_MIGRATION, ready, laterMigrations);
  await load.end();
  const gaps = await leases.end();
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await start(one, later, { LATER_WRITES: 'off' });

  const restarts = 2 * (2 * rounds + 1) + (rounds === 0 ? 2 : 1);
  say(`${restarts} restarts; ${load.calls} calls, ${load.failures.length} failed`);
  for (const [what, cost] of costs) say(`${cost.toFixed(1)} statements a change with ${what}`);
  for (const [lease, gap] of gaps)
    say(`the longest time without a holder of the lease ${lease} was ${(gap / 1_000).toFixed(1)} s`);
  const problems = [...load.failures.slice(0, 20), ...tooMany(costs), ...(await leftIn(app))];
  return { problems, delays: tooLong(gaps) };
}

const environmentOf = (contactPoints: readonly string[]) => ({
  ...process.env,
  ...WITHOUT_LIMITS,
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
  CASSANDRA_CONTACT_POINTS: contactPoints.join(','),
  CASSANDRA_KEYSPACE: `upgrade_${randomBytes(4).toString('hex')}`,
  CASSANDRA_REPLICATION_FACTOR: '1',
  ACCESS_TOKEN_SECRET: randomBytes(48).toString('base64'),
  DRAIN_SECONDS: '2',
  TRUST_PROXY: '1',
  ARGON2_MEMORY_KIB: '8192',
  ARGON2_PASSES: '1',
});

/** Stops the only server for a moment, like a busy machine. */
async function stall(server: ServerProcess | undefined): Promise<void> {
  server?.process.kill('SIGSTOP');
  await sleep(STALL_MS);
  server?.process.kill('SIGCONT');
}

async function connect(ends: Ends, environment: Record<string, string | undefined>): Promise<AppContext> {
  const config = readConfig(environment);
  const cassandra = await connectCassandra(config.cassandra);
  ends.add(() => cassandra.client.shutdown());
  return appContext({ config, cassandra, logger: makeLogger('fatal') });
}

async function bookIds({ cassandra }: AppContext): Promise<string[]> {
  const { rows } = await cassandra.client.execute(`SELECT book_id FROM books LIMIT ${BOOKS}`);
  return rows.map((row) => encodeId({ type: 'Book', key: String(row['book_id']) }));
}

function tooMany(costs: ReadonlyMap<string, number>): string[] {
  const least = Math.min(...costs.values());
  return [...costs]
    .filter(([, cost]) => cost > STATEMENTS_FACTOR_MAX * least)
    .map(
      ([what, cost]) => `A change costs ${cost.toFixed(1)} statements with ${what}, for ${least.toFixed(1)} at best`,
    );
}

const tooLong = (gaps: ReadonlyMap<string, number>): string[] =>
  [...gaps]
    .filter(([, gap]) => gap > LEASE_GAP_MAX_MS)
    .map(([lease, gap]) => `The lease ${lease} had no holder for ${(gap / 1_000).toFixed(1)} s`);

/** Waits until everything is finished, and returns the problems. */
async function leftIn(app: AppContext): Promise<string[]> {
  const { client } = app.cassandra;
  const lettersIn = () => Array.fromAsync(findDeadLetters(app));
  const isLeft = async () => {
    const counts = await Promise.all(
      ['SELECT transaction_id FROM transaction_log', 'SELECT subject FROM jobs'].map((cql) => client.execute(cql)),
    );
    return counts.some(({ rowLength }) => rowLength > 0) || (await lettersIn()).length > 0;
  };
  const deadline = performance.now() + FINISHED_WITHIN_MS;
  while ((await isLeft()) && performance.now() < deadline) await sleep(200);

  const problems: string[] = [];
  const letters = await lettersIn();
  problems.push(...letters.map(({ kind, reason }) => `A change of the kind ${kind} is a dead letter: ${reason}`));
  let rows = 0;
  for await (const page of audit(app, everyAudit, EVERYTHING, false)) {
    rows += page.rows;
    problems.push(...page.drift.map(({ table, what }) => `${table} has drifted: ${what}`));
    problems.push(...page.unreadable.map(({ table, partition }) => `${table} is unreadable: ${partition}`));
  }
  const accounts = await client.execute('SELECT state FROM users_by_id');
  const hidden = accounts.rows.filter((row) => JSON.stringify(row['state']).includes(`"${LATER_AUDIENCE}"`)).length;
  if (hidden === 0) problems.push('The later release has not written its new audience');
  const { rows: written } = await client.execute('SELECT value FROM later');
  const recovered = written.filter((row) => row['value'] !== 'written').length;
  if (recovered === 0) problems.push('The later release left nothing to recovery and jobs');
  say(`${rows} rows audited; ${letters.length} dead letters; ${written.length} rows of the later release`);
  return problems;
}
