import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectCassandra } from '../src/cassandra/client.ts';
import { migrate } from '../src/cassandra/schema.ts';
import { importBooks } from '../src/catalogue/import.ts';
import { readConfig } from '../src/config/config.ts';
import type { AppContext } from '../src/context/context.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { EVERYTHING } from '../src/likes/audit-scan.ts';
import { auditLikes } from '../src/likes/audit.ts';
import { makeLogger } from '../src/app/logger.ts';
import { SAMPLE } from '../src/app/places.ts';
import { say } from '../src/terminal/progress.ts';
import { isLinearizable } from '../test/support/history.ts';
import { startProcess, type ServerProcess } from '../test/support/process.ts';
import { Load, pick, type Reader } from './chaos/load.ts';
import { startProxy } from './chaos/proxy.ts';
import { TROUBLES } from './chaos/troubles.ts';
import { startCluster } from './cluster.ts';
import { appContext } from '../src/app/app-context.ts';

/**
 * `npm run chaos -- [--seconds N]`: three real nodes, two real servers, and everything that can go wrong with them while
 * readers like and unlike. Ends with an audit and with a check of what every caller saw.
 */

const PORT = 19_042;
const NODE_PORT = 19_142;
const READERS = 24;
const LIKEABLES = 6;
const CALLERS = 24;
const FINISHED_WITHIN_MS = 60_000;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '90' } } });
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seconds) || seconds < 10) {
  say('Usage: npm run chaos -- [--seconds N], at least 10');
  process.exit(2);
}

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
  const cluster = await startCluster(join(folder, 'nodes'), NODE_PORT);
  started.push(cluster.stop);
  const proxies = await Promise.all(cluster.nodes.map(({ address }) => startProxy(address, PORT, NODE_PORT)));
  started.push(() => Promise.all(proxies.map((proxy) => proxy.stop())));
  const environment = {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'error',
    CASSANDRA_CONTACT_POINTS: cluster.nodes.map(({ address }) => `${address}:${PORT}`).join(','),
    CASSANDRA_KEYSPACE: 'chaos',
    ACCESS_TOKEN_SECRET: 'a secret of this run, and of no other',
    SAMPLE_DATA: 'off',
    RATE_LIMIT_PER_MINUTE: '0',
    REGISTRATIONS_PER_HOUR: '0',
    LIKE_CHANGES_PER_HOUR: '0',
    LIKE_SHARD_ROWS_MAX: '20',
  };
  const app = await connect(environment);
  await importBooks(app, SAMPLE, { rowsMax: 2 * LIKEABLES });

  const servers: ServerProcess[] = [];
  const startServer = async (index: number) => {
    servers[index] = await startProcess(environment, join(folder, `server-${index}.log`));
  };
  await Promise.all([0, 1].map(startServer));
  started.push(() => Promise.all(servers.map((server) => server.stop())));
  const urls = () => servers.map(({ url }) => url);
  say('three nodes and two servers are ready');

  const load = new Load(urls, await registerAll(urls()[0] ?? ''), await likeableIds(app));
  const underLoad = load.run(CALLERS);
  const deadline = performance.now() + seconds * 1_000;
  const troubles = new Map<string, number>();
  while (performance.now() < deadline) {
    await sleep(1_000 + Math.random() * 2_000);
    const [trouble, bring] = pick(Object.entries(TROUBLES));
    troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1);
    say(trouble);
    await bring({ ...cluster, proxies, servers, startServer });
  }
  load.end();
  await underLoad;
  say(`trouble: ${[...troubles].map(([what, times]) => `${times} × ${what}`).join(', ')}`);
  say(`calls: ${[...load.outcomes].map(([what, times]) => `${times} × ${what}`).join(', ')}`);

  const quiet = performance.now();
  // The connections of the first one were broken, and come back in their own time.
  const auditor = await connect(environment);
  await untilFinished(auditor);
  say(`every transaction is finished ${((performance.now() - quiet) / 1_000).toFixed(1)} s after the last call`);
  await load.readAll();
  const problems = [...load.problems];
  let rows = 0;
  for await (const page of auditLikes(auditor, EVERYTHING, false)) {
    rows += page.rows;
    problems.push(...page.drift.map(({ table, what }) => `${table}: ${what}`));
  }
  for (const [key, history] of load.histories) {
    if (!isLinearizable(history)) problems.push(`not linearizable: ${key} ${JSON.stringify(history)}`);
  }
  for (const problem of problems) say(problem);
  if (problems.length === 0)
    say(`${rows} rows audited: zero drift; ${load.histories.size} histories: all linearizable`);
  return problems.length === 0;
}

async function connect(environment: Record<string, string | undefined>): Promise<AppContext> {
  const config = readConfig(environment);
  await migrate(config.cassandra, say);
  const cassandra = await connectCassandra(config.cassandra);
  started.push(() => cassandra.client.shutdown());
  return appContext({ config, cassandra, logger: makeLogger('fatal') });
}

async function registerAll(url: string): Promise<Reader[]> {
  const query = `mutation ($email: String!) { register(input: { email: $email, password: "a good book", fullName: "Somebody" }) {
    accessToken viewer { id } } }`;
  return Promise.all(
    Array.from({ length: READERS }, async (_, index) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { email: `somebody-${index}@example.com` } }),
      });
      const { data } = (await response.json()) as {
        data: { register: { accessToken: string; viewer: { id: string } } };
      };
      return { id: data.register.viewer.id, token: data.register.accessToken };
    }),
  );
}

async function likeableIds({ cassandra }: AppContext): Promise<string[]> {
  const { rows } = await cassandra.client.execute(`SELECT book_id FROM books LIMIT ${LIKEABLES}`);
  return rows.map((row) => encodeId({ type: 'Book', key: String(row['book_id']) }));
}

async function untilFinished({ cassandra }: AppContext): Promise<void> {
  const deadline = performance.now() + FINISHED_WITHIN_MS;
  for (;;) {
    const { rowLength } = await cassandra.client.execute('SELECT transaction_id FROM transaction_log');
    if (rowLength === 0) return;
    if (performance.now() > deadline) throw new Error(`${rowLength} transactions are still unfinished`);
    await sleep(100);
  }
}
