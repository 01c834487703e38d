import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'cassandra-driver';
import { untilAnswering } from './probe.ts';
import type { Log } from '../../src/terminal/progress.ts';
import type { RunningCassandra } from './running.ts';

/**
 * The embedded node: a real Cassandra, run from its Maven artifacts for development and tests.
 * It needs no installation; all files are in the given folder.
 */

export const EMBEDDED_VERSION = '5.0.9';
const HEAP = '1024M';
/**
 * Tests have several keyspaces of 75 tables each. With less memory, Cassandra mostly collects
 * garbage.
 */
const TEMPORARY_HEAP = '4096M';
/**
 * Java's options for a node whose data is temporary. Tables are created and truncated without a
 * flush, and dropped without a snapshot and without a scan of all cached keys. The clock of
 * timeouts is read every 20 ms instead of every 2 ms, and the only replica has no rank among
 * others, because both take processor time even while nothing is asked.
 */
export const TEMPORARY_OPTIONS = [
  '-Dcassandra.test.flush_local_schema_changes=false',
  '-Dcassandra.unsafesystem=true',
  '-Dcassandra.config.allow_system_properties=true',
  '-Dcassandra.settings.auto_snapshot=false',
  '-Dcassandra.settings.key_cache_size=0MiB',
  '-Dcassandra.settings.counter_cache_size=0MiB',
  '-Dcassandra.approximate_time_precision_ms=20',
  '-Dcassandra.settings.dynamic_snitch=false',
];
/**
 * Java's options for a node that works for some minutes. Code is compiled only by the fast
 * compiler: optimized code is a third faster, but in ten minutes a third of the processor time of a
 * node is spent on compiling it. The serial garbage collector saves another seventh, for longer
 * pauses.
 */
export const SHORT_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:-UseG1GC', '-XX:+UseSerialGC'];
const SECURED_SETTINGS = `
authenticator: PasswordAuthenticator
authorizer: CassandraAuthorizer
`;
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const NATIVE_PORT = 9042;
const ADDRESS = '127.0.0.1';
/** Cassandra 5.0 sets a security manager when it starts, which Java 24 and later refuse. */
const JAVA_OLDEST = 17;
const JAVA_NEWEST = 23;

/**
 * Maven runs for seconds, too short for the optimizing compiler and concurrent collectors to pay
 * off.
 */
const MAVEN_JAVA_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
const FETCH_NEWS_MS = 2_000;

const run = promisify(execFile);

/** Returns the reason why the embedded node cannot run here, or `undefined` if it can. */
export async function embeddedUnavailable(folder: string): Promise<string | undefined> {
  const version = await javaVersion();
  if (version === undefined) return `no Java found; install a JDK or JRE, for example version ${JAVA_OLDEST}`;
  if (version < JAVA_OLDEST || version > JAVA_NEWEST) {
    return `Java ${version} found, but Cassandra needs ${JAVA_OLDEST} to ${JAVA_NEWEST}; point JAVA_HOME at one`;
  }
  if (existsSync(libraryOf(folder))) return undefined;
  const maven = await run('mvn', ['--version']).catch(() => undefined);
  return maven ? undefined : 'no Maven found, which fetches Cassandra; install Maven (the command mvn)';
}

/**
 * Starts the node of this machine and waits until it answers.
 * @param folder the folder of the fetched jars, shared by all nodes on this machine
 * @param data the folder of this node's data, kept between starts unless it is temporary; one node
 *   at a time
 * @throws Error with what to do, when Cassandra cannot be fetched or does not start
 */
export async function startEmbedded(
  folder: string,
  data: Pick<NodePlace, 'dataFolder' | 'isTemporary' | 'isShort'>,
  log: Log,
): Promise<RunningCassandra> {
  const startOn = async (nativePort: number): Promise<RunningCassandra> => {
    const place = { ...data, address: ADDRESS, nativePort, storagePort: await freePort() };
    const { stop } = await startNode(folder, place, log);
    return { contactPoints: [`${ADDRESS}:${nativePort}`], stop };
  };
  if (await isFree(NATIVE_PORT)) {
    try {
      return await startOn(NATIVE_PORT);
    } catch (error) {
      // Two nodes that start at the same moment both find the port free. Any other error would
      // occur on every port.
      if (await isFree(NATIVE_PORT)) throw error;
      log(`another process has taken port ${NATIVE_PORT} meanwhile`);
    }
  }
  return startOn(await freePort());
}

/** The place of a node: its data, its addresses and ports. */
export interface NodePlace {
  readonly dataFolder: string;
  /** True if the data is deleted with the node, so that it need not survive a kill. */
  readonly isTemporary?: boolean;
  /** True if the node runs only for a few minutes. */
  readonly isShort?: boolean;
  readonly address: string;
  readonly nativePort: number;
  readonly storagePort: number;
  /**
   * The cluster of the node: its seeds, this node's token and data centre. Unset for a single node.
   */
  readonly cluster?: {
    readonly seeds: readonly string[];
    readonly token: bigint;
    readonly dataCentre: string;
    /** True to replace a node with the same address that has lost its data. */
    readonly isReplacing?: boolean;
  };
  /**
   * A version other than the embedded one, with its own lines of cassandra.yaml, for comparisons.
   */
  readonly other?: { readonly version: string; readonly settings: string };
  /** True if clients must log in: at first as the superuser `cassandra`, with the same password. */
  readonly isSecured?: boolean;
}

/** A node that answers. */
export interface RunningNode {
  /** The process of Cassandra itself. */
  readonly pid: number;
  /** Stops the node and waits for its end. A killed node can be stopped as well. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a node and waits until it answers.
 * @param folder the folder of the fetched jars
 * @throws Error with what to do, when Cassandra cannot be fetched or does not start
 */
export async function startNode(folder: string, place: NodePlace, log: Log): Promise<RunningNode> {
  const { dataFolder, address, nativePort, other } = place;
  const version = other?.version ?? EMBEDDED_VERSION;
  await mkdir(dataFolder, { recursive: true });
  await endLeftover(dataFolder, log);
  const library = await fetchLibrary(folder, version, log);
  const jmxPort = await freePort();
  await writeNodeFiles(place);
  await writeNodetool(library, dataFolder, jmxPort);
  log(`starting Cassandra ${version} on ${address}:${nativePort}, data in ${dataFolder}`);
  const node = spawnNode(library, place, jmxPort);
  await ready(node, place);
  const [, pid] = (await readFile(pidFileOf(dataFolder), 'utf8')).trim().split(' ').map(Number);
  return {
    pid: pid ?? NaN,
    stop: async () => {
      await end(node);
      await rm(pidFileOf(dataFolder), { force: true });
    },
  };
}

/** Ends a node through its guard and waits for it. */
async function end(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = new Promise((resolve) => node.once('exit', resolve));
  node.stdin?.end();
  await ended;
}

const libraryOf = (folder: string, version = EMBEDDED_VERSION) => join(folder, `cassandra-${version}`);
const pidFileOf = (dataFolder: string) => join(dataFolder, 'pids');
const javaCommand = () => (process.env['JAVA_HOME'] ? join(process.env['JAVA_HOME'], 'bin', 'java') : 'java');

async function javaVersion(): Promise<number | undefined> {
  const printed = await run(javaCommand(), ['-version']).catch(() => undefined);
  const version = printed && /version "(\d+)/.exec(printed.stderr)?.[1];
  return version === undefined ? undefined : Number(version);
}

async function fetchLibrary(folder: string, version: string, log: Log): Promise<string> {
  const library = libraryOf(folder, version);
  if (existsSync(library)) return library;
  log(`fetching Cassandra ${version} with Maven, once: 100 files of 67 MB, and 260 small ones of Maven's own`);
  // The jars go to a temporary folder that is renamed afterwards, so that an interrupted fetch is
  // never used.
  const unfinished = `${library}.${process.pid}.unfinished`;
  const maven = spawn(
    'mvn',
    [
      '--batch-mode',
      '-Dstyle.color=never',
      '--file',
      join(import.meta.dirname, 'pom.xml'),
      // The dependencies of another version are resolved by Maven, which takes longer.
      version === EMBEDDED_VERSION ? 'dependency:copy' : 'dependency:copy-dependencies',
      `-DoutputDirectory=${unfinished}`,
      '-DincludeScope=runtime',
      `-Dcassandra.version=${version}`,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, MAVEN_OPTS: `${MAVEN_JAVA_OPTIONS} ${process.env['MAVEN_OPTS'] ?? ''}` },
    },
  );
  let files = 0;
  let megabytes = 0;
  let reportedAt = performance.now();
  let output = '';
  const lines = createInterface({ input: maven.stdout }).on('line', (line) => {
    output = `${output}${line}\n`.slice(-4_000);
    const [, size, unit] = /^\[INFO\] Downloaded .*\(([\d.]+) ([kM]?)B at/.exec(line) ?? [];
    if (size === undefined) return;
    files += 1;
    megabytes += Number(size) * (unit === 'M' ? 1 : unit === 'k' ? 1e-3 : 1e-6);
    if (performance.now() - reportedAt < FETCH_NEWS_MS) return;
    reportedAt = performance.now();
    log(`fetching Cassandra: ${files} files, ${megabytes.toFixed(0)} MB`);
  });
  const code = await new Promise((resolve, reject) => {
    maven.once('exit', resolve).once('error', reject);
  });
  lines.close();
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`Maven could not fetch Cassandra ${version}; its last output:\n${output}`);
  }
  await rename(unfinished, library).catch(async (error: unknown) => {
    if (!existsSync(library)) throw error;
    await rm(unfinished, { recursive: true, force: true });
  });
  return library;
}

/**
 * Ends a node that outlived its server and its guard, which can both be killed. A node in use is
 * left alone.
 */
async function endLeftover(dataFolder: string, log: Log): Promise<void> {
  const written = await readFile(pidFileOf(dataFolder), 'utf8').catch(() => '');
  const [owner, java] = written.trim().split(' ').map(Number);
  if (!java || !owner) return;
  const isNode = async () => (await commandOf(java))?.includes(`-Dcassandra.storagedir=${dataFolder}`) ?? false;
  if (!(await isNode())) return;
  if ((await commandOf(owner)) !== undefined) {
    throw new Error(
      `Process ${owner} is already running the Cassandra of ${dataFolder}. ` +
        'Stop it, or share its node: set CASSANDRA_CONTACT_POINTS to the address that it printed.',
    );
  }
  log(`ending process ${java}, a Cassandra that an earlier run left behind`);
  process.kill(java, 'SIGTERM');
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (await isNode()) {
    if (Date.now() > deadline) process.kill(java, 'SIGKILL');
    await sleep(100);
  }
}

/** The command line of a running process; `undefined` if it has ended or is a zombie. */
async function commandOf(pid: number): Promise<string | undefined> {
  const found = await run('ps', ['-ww', '-o', 'stat=,args=', '-p', String(pid)]).catch(() => undefined);
  return found && !found.stdout.startsWith('Z') ? found.stdout : undefined;
}

async function writeNodeFiles(place: NodePlace): Promise<void> {
  const { dataFolder, address, nativePort, storagePort, cluster, other, isSecured } = place;
  const folders = ['data', 'commitlog', 'hints', 'saved_caches', 'cdc'];
  await Promise.all(folders.map((name) => mkdir(join(dataFolder, name), { recursive: true })));
  // JSON strings are valid YAML strings for any path.
  const path = (name: string) => JSON.stringify(join(dataFolder, name));
  if (cluster)
    await writeFile(join(dataFolder, 'cassandra-rackdc.properties'), `dc=${cluster.dataCentre}\nrack=rack1\n`);
  await writeFile(
    join(dataFolder, 'cassandra.yaml'),
    `${await readFile(join(import.meta.dirname, 'cassandra.yaml'), 'utf8')}
listen_address: ${address}
rpc_address: ${address}
native_transport_port: ${nativePort}
storage_port: ${storagePort}
endpoint_snitch: ${cluster ? 'GossipingPropertyFileSnitch' : 'SimpleSnitch'}
data_file_directories: [${path('data')}]
commitlog_directory: ${path('commitlog')}
hints_directory: ${path('hints')}
saved_caches_directory: ${path('saved_caches')}
cdc_raw_directory: ${path('cdc')}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${(cluster?.seeds ?? [address]).map((seed) => `${seed}:${storagePort}`).join()}"
${cluster && !cluster.isReplacing ? `initial_token: ${cluster.token}` : ''}
${other?.settings ?? ''}
${isSecured ? SECURED_SETTINGS : ''}
`,
  );
}

/** Returns the path of a `nodetool` for a node, like the one of a packaged Cassandra. */
export const nodetoolOf = (dataFolder: string): string => join(dataFolder, 'nodetool');

async function writeNodetool(library: string, dataFolder: string, jmxPort: number): Promise<void> {
  const logging = `-Dlogback.configurationFile='file:${join(import.meta.dirname, 'logback.xml')}'`;
  const options =
    `@'${join(import.meta.dirname, 'jvm.options')}' -XX:TieredStopAtLevel=1 ` +
    `-Dcassandra.storagedir='${dataFolder}/tools' -Duser.home='${dataFolder}/tools' ${logging}`;
  const program = `-cp '${library}/*' org.apache.cassandra.tools.NodeTool -h 127.0.0.1 -p ${jmxPort}`;
  await writeFile(nodetoolOf(dataFolder), `#!/bin/sh\nexec ${javaCommand()} ${options} ${program} "$@"\n`, {
    mode: 0o755,
  });
}

function spawnNode(library: string, place: NodePlace, jmxPort: number): ChildProcess {
  const { dataFolder, address, isTemporary, isShort, cluster } = place;
  const options = [
    `@${join(import.meta.dirname, 'jvm.options')}`,
    `-Xms${HEAP}`,
    `-Xmx${isTemporary ? TEMPORARY_HEAP : HEAP}`,
    `-Dcassandra.ring_delay_ms=${cluster ? 1_000 : 0}`,
    `-Dcassandra.config=file://${join(dataFolder, 'cassandra.yaml')}`,
    `-Dcassandra.storagedir=${dataFolder}`,
    `-Dcassandra.jmx.local.port=${jmxPort}`,
    `-Dlogback.configurationFile=file:${join(import.meta.dirname, 'logback.xml')}`,
    ...(isTemporary ? TEMPORARY_OPTIONS : []),
    ...(isShort ? SHORT_OPTIONS : []),
    ...(cluster?.isReplacing
      ? [
          `-Dcassandra.replace_address_first_boot=${address}`,
          '-Dcassandra.config.allow_system_properties=true',
          '-Dcassandra.settings.auto_bootstrap=true',
        ]
      : []),
    `-javaagent:${join(library, readdirSync(library).find((jar) => jar.startsWith('jamm-')) ?? '')}`,
  ];
  const output = openSync(join(dataFolder, 'output.log'), 'w');
  // Detached: Ctrl-C in the terminal reaches only the server, which ends the node after its last
  // request.
  const node = spawn(
    'sh',
    [
      join(import.meta.dirname, 'guard.sh'),
      javaCommand(),
      ...options,
      '-cp',
      `${dataFolder}:${library}/*`,
      'org.apache.cassandra.service.CassandraDaemon',
    ],
    {
      detached: true,
      stdio: ['pipe', output, output],
      env: { ...process.env, SERVER_PID: String(process.pid), PID_FILE: pidFileOf(dataFolder) },
    },
  );
  closeSync(output);
  return node;
}

async function ready(node: ChildProcess, place: NodePlace): Promise<void> {
  const { dataFolder, address, nativePort } = place;
  const deadline = Date.now() + READY_WITHIN_MS;
  const mayAnswer = () => node.exitCode === null && Date.now() < deadline;
  let isReady = false;
  try {
    isReady = await untilAnswering(address, nativePort, mayAnswer);
    // A node that requires a login cannot be identified.
    if (!place.isSecured) isReady &&= await isAnsweredBy(place);
  } finally {
    if (!isReady) await end(node);
  }
  if (isReady) return;

  const lastWords = readFileSync(join(dataFolder, 'output.log'), 'utf8').slice(-2_000);
  throw new Error(
    `Cassandra did not start. Its log is ${join(dataFolder, 'system.log')}; its last output:\n${lastWords}`,
  );
}

/**
 * True if this node answers at its port. A node that cannot bind its port takes a moment to end.
 */
async function isAnsweredBy({ address, nativePort, storagePort, cluster }: NodePlace): Promise<boolean> {
  const client = new Client({
    contactPoints: [`${address}:${nativePort}`],
    localDataCenter: cluster?.dataCentre ?? 'datacenter1',
    protocolOptions: { port: nativePort },
    isMetadataSyncEnabled: false,
  });
  try {
    const { rows } = await client.execute('SELECT listen_address, listen_port FROM system.local');
    return rows.some((row) => String(row['listen_address']) === address && row['listen_port'] === storagePort);
  } finally {
    await client.shutdown();
  }
}

/**
 * Listens on a port for a moment, 0 for any free one. Returns the port, or `undefined` if it is
 * taken.
 */
async function listening(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, ADDRESS), 'listening');
  } catch {
    return undefined;
  }
  const { port: taken } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return taken;
}

const isFree = async (port: number) => (await listening(port)) !== undefined;

/** Returns a port of this machine that is free. */
export async function freePort(): Promise<number> {
  const port = await listening(0);
  if (port === undefined) throw new Error('The system has no free port');
  return port;
}
