import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { contract, migrate } from '../../src/schema/migrate.ts';
import { readMigrations, type Migration } from '../../src/schema/migrations.ts';
import { importBooks } from '../../src/catalogue/import.ts';
import { readConfig, type CassandraConfig } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { everyAudit } from '../../src/app/workers.ts';
import { audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { isMoved, oldestServer } from '../../src/app/migrations.ts';
import { SAMPLE } from '../places.ts';
import { say } from '../../src/terminal/progress.ts';
import { Chance } from '../support/chance.ts';
import { startProcess, WITHOUT_LIMITS, type ServerProcess } from '../support/process.ts';
import { LATER_MIGRATION, makeLaterRelease, migrationsOf, PROJECT } from '../cluster/later-release.ts';
import { impossibleHistories, statesAtRest, unfinishedIn, wronglyShown } from '../cluster/at-rest.ts';
import { Load, makeCast } from '../cluster/load.ts';
import { startProxy } from '../cluster/proxy.ts';
import { troublesOf } from '../cluster/troubles.ts';
import { makeKeyspace, startCluster } from '../support/test-cluster.ts';
import { appContext } from '../../src/app/app-context.ts';

/**
 * `npm run chaos -- cluster [--seconds N] [--data-centres N] [--seed N]`: breaks three real
 * nodes and two real servers while readers like, follow, block and hide their likes. It ends
 * with an audit of everything, a check of the observations of every caller, and a comparison of
 * what is shown with a plain model. With two data centres, one has two nodes and the other one.
 * Each data centre has all data and a server. A seed gives the same choices, at other moments.
 */

/** The server of a release. */
const SERVER = 'tools/cluster/server.ts';
const PORT = 19_042;
const NODE_PORT = 19_142;
const BOOKS = 6;
const CALLERS = 24;
const FINISHED_WITHIN_MS = 60_000;

/** The data centre of each node. */
const DATA_CENTRES = {
  1: ['datacenter1', 'datacenter1', 'datacenter1'],
  2: ['datacenter1', 'datacenter1', 'datacenter2'],
} as const;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '90' },
    'data-centres': { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const seconds = Number(values.seconds);
const number = values['data-centres'];
const seed = Number(values.seed);
const areNumbers = Number.isSafeInteger(seconds) && Number.isSafeInteger(seed);
if (!areNumbers || seconds < 10 || (number !== '1' && number !== '2')) {
  say('Usage: npm run chaos -- cluster [--seconds N] [--data-centres 1|2] [--seed N], at least 10 seconds');
  process.exit(2);
}
const dataCentres: readonly string[] = DATA_CENTRES[number];
const areSeveral = number === '2';

const chance = new Chance(seed);
say(`seed ${String(seed)}`);

const folder = await mkdtemp(join(tmpdir(), 'social-e-library-chaos-'));
const started: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
let exitCode = 1;
try {
  exitCode = (await chaos()) ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  for (const end of started.toReversed())
    await end().catch((error: unknown) => {
      say(String(error));
    });
}
process.exit(exitCode);

async function chaos(): Promise<boolean> {
  const cluster = await startCluster(join(folder, 'nodes'), NODE_PORT, dataCentres);
  started.push(cluster.stop);
  const proxies = await Promise.all(cluster.nodes.map(({ address }) => startProxy(address, PORT, NODE_PORT)));
  started.push(() => Promise.all(proxies.map((proxy) => proxy.stop())));
  const defaults = {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'error',
    CASSANDRA_CONTACT_POINTS: cluster.nodes.map(({ address }) => `${address}:${PORT}`).join(','),
    CASSANDRA_KEYSPACE: 'chaos',
    ACCESS_TOKEN_SECRET: 'a secret that only this run uses',
    SAMPLE_DATA: 'off',
    ACCESS_TOKEN_SECONDS: '86400',
    ...WITHOUT_LIMITS,
    LIKE_SHARD_ROWS_MAX: '20',
    LIKE_SHARD_ALONE_COMMITS: '1',
  };
  await expectReplicationFactorError(readConfig(defaults).cassandra);
  if (areSeveral) {
    await makeKeyspace(readConfig(defaults).cassandra, dataCentres);
    await expectNoStart(defaults, 'A server with the default settings works with several data centres');
  }
  const environment = {
    ...defaults,
    ...(areSeveral
      ? { CASSANDRA_CONSISTENCY: 'QUORUM', CASSANDRA_SERIAL_CONSISTENCY: 'SERIAL' }
      : { CASSANDRA_REPLICATION_FACTOR: '3' }),
  };
  const { cassandra } = readConfig(environment);
  await migrate(cassandra, say);
  const app = await connect(environment);
  await importBooks(app, SAMPLE, { rowsMax: 2 * BOOKS });

  const servers: ServerProcess[] = [];
  const later = join(folder, 'later');
  await makeLaterRelease(later);
  await migrate(cassandra, say, await readMigrations(migrationsOf(later)));
  let release = PROJECT;
  const clockFileOf = (index: number) => join(folder, `clock-${index}`);
  const startServer = async (index: number) => {
    // The first server is in the data centre of the first node, the second one in that of the last
    // node.
    const own = { CASSANDRA_LOCAL_DC: dataCentres.at(-index), CLOCK_OFFSET_FILE: clockFileOf(index) };
    await writeFile(clockFileOf(index), '0');
    const logFile = join(folder, `server-${index}.log`);
    servers[index] = await startProcess({ ...environment, ...own }, logFile, join(release, SERVER));
  };
  const setClock = async (index: number, offsetMs: number) => {
    await writeFile(clockFileOf(index), String(offsetMs));
    servers[index]?.process.kill('SIGUSR2');
  };
  const changeRelease = () => {
    release = release === later ? PROJECT : later;
  };
  await Promise.all([0, 1].map(startServer));
  started.push(() => Promise.all(servers.map((server) => server.stop())));
  const urls = () => servers.map(({ url }) => url);
  say('three nodes and two servers are ready');

  const cast = await makeCast(urls()[0] ?? '', await bookIds(app));
  const load = new Load(chance, urls, cast);
  const underLoad = load.run(CALLERS);
  const deadline = performance.now() + seconds * 1_000;
  const troubles = new Map<string, number>();
  const next = troublesOf(chance, areSeveral);
  while (performance.now() < deadline) {
    await sleep(1_000 + chance.random() * 2_000);
    const [trouble, bring] = next.next().value;
    troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1);
    say(trouble);
    await bring({ ...cluster, chance, proxies, servers, startServer, setClock, changeRelease });
  }
  load.end();
  await underLoad;
  await tryToContract(cassandra, later, release);
  if (release === later)
    await expectNoStart(environment, 'A release works although a newer one has dropped tables that it needs');
  say(`trouble: ${[...troubles].map(([what, times]) => `${times} × ${what}`).join(', ')}`);
  say(`calls: ${[...load.outcomes].map(([what, times]) => `${times} × ${what}`).join(', ')}`);

  const quiet = performance.now();
  // The connections of the first process were broken, and recover after a while.
  const auditor = await connect(environment);
  await untilFinished(auditor);
  say(
    `every transaction and job is finished ${((performance.now() - quiet) / 1_000).toFixed(1)} s after the last call`,
  );
  const problems = [...load.problems];
  let rows = 0;
  for await (const page of audit(auditor, everyAudit, EVERYTHING, false)) {
    rows += page.rows;
    problems.push(...page.drift.map(({ table, what }) => `${table}: ${what}`));
    problems.push(...page.unreadable.map(({ table, partition }) => `${table}: unreadable: ${partition}`));
  }
  const atRest = await statesAtRest(urls()[0] ?? '', cast);
  problems.push(...impossibleHistories(load, atRest));
  problems.push(...(await Array.fromAsync(wronglyShown(urls(), cast, atRest))));
  for (const problem of problems) say(problem);
  if (problems.length === 0)
    say(
      `${rows} rows audited: zero drift; ${historiesIn(load)}: all linearizable; ` +
        `${atRest.follow.size} follows, ${atRest.block.size} blocks: lists, counts, known likers, feeds and ` +
        'notifications are those of the model',
    );
  return problems.length === 0;
}

/**
 * Expects that a server does not start, with settings that are wrong for several data centres, or
 * of a release older than the schema.
 * @param wrong the error message if it does start
 */
/** Three nodes may store each row once, twice or three times, and no default is assumed. */
async function expectReplicationFactorError(config: CassandraConfig): Promise<void> {
  const told = await migrate(config, say).then(
    () => 'a keyspace with a guessed replication factor',
    (error: unknown) => String(error),
  );
  if (!told.includes('set CASSANDRA_REPLICATION_FACTOR')) throw new Error(`Expected a refusal, found: ${told}`);
}

/** Contracts the later migration, which must be refused while servers of this release run. */
async function tryToContract(config: CassandraConfig, later: string, release: string): Promise<void> {
  const ready = { oldestServer: () => oldestServer(config), isMoved: (each: Migration) => isMoved(config, each) };
  const refusal = await contract(config, say, LATER_MIGRATION, ready, await readMigrations(migrationsOf(later))).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if ((refusal === undefined) !== (release === later))
    throw new Error(`With servers of ${release} a contraction ended with: ${refusal ?? 'success'}`);
  if (refusal !== undefined) say(`refused, as expected: ${refusal}`);
}

async function expectNoStart(environment: Record<string, string | undefined>, wrong: string): Promise<void> {
  const server = await startProcess(environment).catch((error: unknown) => {
    say(`refused, as expected: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (!server) return;
  await server.stop();
  throw new Error(wrong);
}

async function connect(environment: Record<string, string | undefined>): Promise<AppContext> {
  const config = readConfig(environment);
  const cassandra = await connectCassandra(config.cassandra);
  started.push(() => cassandra.client.shutdown());
  return appContext({ config, cassandra, logger: makeLogger('fatal') });
}

async function bookIds({ cassandra }: AppContext): Promise<string[]> {
  const { rows } = await cassandra.client.execute(`SELECT book_id FROM books LIMIT ${BOOKS}`);
  return rows.map((row) => encodeId({ type: 'Book', key: String(row['book_id']) }));
}

/** Describes the histories of the calls of a run. */
function historiesIn({ histories }: Load): string {
  const all = Object.entries(histories).map(([relation, ofIt]) => {
    const calls = [...ofIt.values()].reduce((sum, { length }) => sum + length, 0);
    return `${ofIt.size} histories of ${relation}s with ${calls} calls`;
  });
  return all.join(', ');
}

async function untilFinished(app: AppContext): Promise<void> {
  const deadline = performance.now() + FINISHED_WITHIN_MS;
  for (let left = await unfinishedIn(app); left > 0; left = await unfinishedIn(app)) {
    if (performance.now() > deadline) throw new Error(`${left} transactions and jobs are still unfinished`);
    await sleep(100);
  }
}
