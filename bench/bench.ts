import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { connectCassandra } from '../src/cassandra/client.ts';
import { startEmbedded } from '../tools/launch/embedded.ts';
import { migrate } from '../src/schema/migrate.ts';
import { accountState } from '../tools/support/account-state.ts';
import { accountStates } from '../src/accounts/tables.ts';
import { openSession } from '../src/sessions/operations.ts';
import { importBooks } from '../src/catalogue/import.ts';
import { readConfig } from '../src/config/config.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../src/context/context.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { makeLogger } from '../src/app/logger.ts';
import { PLACES, SAMPLE } from '../tools/places.ts';
import { say } from '../src/terminal/progress.ts';
import { inventBooks } from './books.ts';
import { startProcess, WITHOUT_LIMITS, type ServerProcess } from '../tools/support/process.ts';
import { makeKeyspace, startCluster, type ClusterNode } from '../tools/support/test-cluster.ts';
import { appContext } from '../src/app/app-context.ts';
import { Ends } from '../tools/support/ends.ts';

/**
 * The environment of every benchmark of likes: a fresh Cassandra with the catalogue, servers, and
 * readers with tokens.
 */

const NODE_PORT = 19_242;

export interface Bench {
  readonly app: AppContext;
  /**
   * Starts a server, which ends with the benchmark.
   * @param own its own settings, in addition to those of all servers
   * @param logFile receives all its output
   * @param entry the entry file of another server
   */
  readonly startServer: (
    own?: Readonly<Record<string, string | undefined>>,
    logFile?: string,
    entry?: string,
  ) => Promise<ServerProcess>;
  /**
   * Registers a function that runs at the end of the benchmark, before everything that was started
   * earlier is ended.
   */
  readonly atEnd: (end: () => Promise<unknown>) => void;
  /** The settings of its servers, for tools. */
  readonly environment: Record<string, string | undefined>;
  /** The process of the only node. `NaN` if it is a cluster. */
  readonly cassandraPid: number;
  /** The nodes of a cluster; none if there is only one. */
  readonly nodes: readonly ClusterNode[];
  /** The ids of the catalogue's books, as clients see them. */
  readonly bookIds: readonly string[];
}

/**
 * Runs a benchmark on a fresh Cassandra and removes it afterwards.
 * @param nodes 1, or 3 with every row on each node; the data centres of the three nodes, if there
 * are several
 * @param books number of books of the catalogue, by default those of the sample; if it is higher,
 * books are generated
 */
export async function withBench(
  nodes: 1 | 3 | readonly string[],
  measure: (bench: Bench) => Promise<void>,
  books?: number,
): Promise<void> {
  const ends = new Ends();
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-bench-'));
  ends.add(() => rm(folder, { recursive: true, force: true }));
  try {
    const { contactPoints, cassandraPid, clusterNodes } = await startNodes(nodes, folder, ends);
    const environment = {
      ...process.env,
      ...asImage,
      PORT: '0',
      LOG_LEVEL: 'error',
      CASSANDRA_CONTACT_POINTS: contactPoints,
      CASSANDRA_KEYSPACE: 'bench',
      CASSANDRA_REPLICATION_FACTOR: nodes === 1 ? '1' : '3',
      ACCESS_TOKEN_SECRET: 'a secret of this benchmark, and of no other',
      ACCESS_TOKEN_SECONDS: '86400',
      SAMPLE_DATA: 'off',
      ...WITHOUT_LIMITS,
      QUERIES_MAX: '100000',
      MUTATIONS_MAX: '100000',
      // With one data centre, each of these settings has the effect of its default.
      ...(typeof nodes === 'object' && { CASSANDRA_CONSISTENCY: 'QUORUM', CASSANDRA_SERIAL_CONSISTENCY: 'SERIAL' }),
    };
    const config = readConfig(environment);
    if (typeof nodes === 'object') await makeKeyspace(config.cassandra, nodes);
    await migrate(config.cassandra, () => undefined);
    const cassandra = await connectCassandra(config.cassandra);
    ends.add(() => cassandra.client.shutdown());
    const app = appContext({ config, cassandra, logger: makeLogger('error') });
    const { rows } = await importBooks(app, SAMPLE, books === undefined ? {} : { rowsMax: books });
    if (books !== undefined && books > rows) await importBooks(app, await inventBooks(SAMPLE, folder, books - rows));
    const found = await cassandra.client.execute('SELECT book_id FROM books', [], { fetchSize: 5_000 });
    const bookIds = await Array.fromAsync(found, (row) => encodeId({ type: 'Book', key: String(row['book_id']) }));
    await measure({
      app,
      environment,
      cassandraPid,
      nodes: clusterNodes,
      bookIds,
      startServer: (own, logFile, entry) => {
        const starting = startProcess({ ...environment, ...own }, logFile, entry);
        ends.add(() => stopped(starting));
        return starting;
      },
      atEnd: (end) => {
        ends.add(end);
      },
    });
  } finally {
    await ends.all();
  }
}

/** The memory settings of the image. */
const asImage = Object.fromEntries<string>(
  [...(await readFile(join(import.meta.dirname, '../Dockerfile'), 'utf8')).matchAll(/\b(MALLOC_[A-Z_]+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** Ends something once it is there. A part that could not be started has ended. */
const stopped = (starting: Promise<{ readonly stop: () => Promise<void> }>): Promise<void> =>
  starting.then(
    ({ stop }) => stop(),
    () => undefined,
  );

async function startNodes(nodes: 1 | 3 | readonly string[], folder: string, ends: Ends) {
  if (nodes === 1) {
    const dataFolder = join(folder, 'node');
    const starting = startEmbedded(PLACES.folder, { dataFolder }, say);
    ends.add(() => stopped(starting));
    const node = await starting;
    const [, pid] = (await readFile(join(dataFolder, 'pids'), 'utf8')).split(' ').map(Number);
    return { contactPoints: node.contactPoints.join(','), cassandraPid: pid ?? NaN, clusterNodes: [] };
  }
  const dataCentres = nodes === 3 ? undefined : nodes;
  const starting = startCluster(join(folder, 'nodes'), NODE_PORT, dataCentres);
  ends.add(() => stopped(starting));
  const cluster = await starting;
  const contactPoints = cluster.nodes.map(({ address }) => `${address}:${NODE_PORT}`).join(',');
  return { contactPoints, cassandraPid: NaN, clusterNodes: cluster.nodes };
}

export const likeableIdOf = (bookId: string) => Buffer.from(bookId, 'base64url').toString();

/** Makes a reader's first like of something, now. */
export const newLike = (app: AppContext) => ({
  userId: app.randomId(),
  version: 1,
  likedAt: app.clock(),
  shown: { fullName: 'Somebody', audience: 'EVERYONE' as const },
});

export interface Reader {
  readonly userId: string;
  readonly token: string;
}

/** Makes readers without the cost of their passwords. */
export async function makeReaders(app: AppContext, count: number): Promise<Reader[]> {
  const now = app.clock();
  const limit = pLimit(64);
  return limit.map(Array.from({ length: count }), async () => {
    const userId = app.randomId();
    await accountStates.compareAndSet(app.cassandra, { user_id: userId }, null, accountState(app.randomId, now));
    const login = { userId, by: 'LOGIN', device: null, visitId: undefined } as const;
    return { userId, token: (await openSession(requestContext(app, ANONYMOUS), login)).accessToken };
  });
}

export const LIKE = `mutation ($id: ID!) { like(input: { id: $id }) { changed likeable { likeCount viewerHasLiked }
   userErrors { code } } }`;

export interface Measured {
  /** Calls a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Repeats some work for a while, several calls at a time. */
export async function measure(
  { seconds, atOnce }: { seconds: number; atOnce: number },
  work: () => Promise<unknown>,
): Promise<Measured> {
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = begun + seconds * 1_000;
  const worker = async () => {
    while (performance.now() < deadline) {
      const before = performance.now();
      await work();
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const rate = (latencies.length * 1_000) / (performance.now() - begun);
  return { rate, p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

export const median = (values: readonly number[]) => percentile(values, 50);
export const shown = ({ rate, p50, p99 }: Measured) =>
  `${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

/**
 * Measures alternatives in turns, so that noise of the machine affects all of them, and reports the
 * medians.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  alternatives: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Record<Name, Measured>> {
  const all = new Map<string, Measured[]>();
  for (let round = 1; round <= rounds; round++) {
    for (const [name, measureOne] of Object.entries<() => Promise<Measured>>(alternatives)) {
      const measured = await measureOne();
      say(`  round ${round}, ${name}: ${shown(measured)}`);
      all.set(name, [...(all.get(name) ?? []), measured]);
    }
  }
  const of = (name: string, what: keyof Measured) => median((all.get(name) ?? []).map((each) => each[what]));
  return Object.fromEntries(
    [...all.keys()].map((name) => [name, { rate: of(name, 'rate'), p50: of(name, 'p50'), p99: of(name, 'p99') }]),
  ) as Record<Name, Measured>;
}

/** Describes the machine, for the record. */
export const machine = () =>
  `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
  `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
