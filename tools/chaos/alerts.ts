import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { readConfig } from '../../src/config/config.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { freePort, nodetoolOf } from '../launch/embedded.ts';
import { migrate } from '../../src/schema/migrate.ts';
import { readMigrations } from '../../src/schema/migrations.ts';
import { say } from '../../src/terminal/progress.ts';
import { FAULTS, type Fault, type Place } from '../alerts/faults.ts';
import { startPrometheus, type Prometheus } from '../alerts/prometheus.ts';
import { makeLaterRelease, migrationsOf, PROJECT } from '../cluster/later-release.ts';
import { startDrill, type Drill } from '../drill/drill.ts';
import { Ends } from '../support/ends.ts';
import { startProcess } from '../support/process.ts';
import { makeLogin, makeRoles } from '../support/roles.ts';
import { freePorts } from '../upgrade/balancer.ts';

/**
 * `npm run chaos -- alerts`: fires each alert by a fault. A Prometheus with the rules of the
 * project scrapes two servers, while one fault after another is caused. Each fault must fire its
 * alerts, which must end with the fault.
 */

const PORT = 19_442;
/** The roll-up must be five minutes late before its alert fires. */
const FIRES_WITHIN_MS = 420_000;
const ENDS_WITHIN_MS = 180_000;
const CLUSTER_NODES = 3;
/** The login of the servers in a cluster, and its password. */
const LOGIN = 'server_1';
const SERVER = 'tools/cluster/server.ts';

const only = process.argv[2] ?? '';
const chosen = Object.entries(FAULTS).filter(([name]) => name.includes(only));
try {
  if (chosen.length === 0) throw new Error(`No fault has "${only}" in its name`);
  const byPlace = Map.groupBy(chosen, ([, { inCluster = false }]) => inCluster);
  for (const [inCluster, faults] of byPlace) await sufferAll(faults, inCluster);
} catch (error) {
  say(String(error));
  process.exitCode = 1;
}
process.exit();

/** Causes faults, one after another, in a separate environment. */
async function sufferAll(faults: readonly (readonly [string, Fault])[], inCluster: boolean): Promise<void> {
  const ends = new Ends();
  try {
    const { place, prometheus } = await start(ends, inCluster);
    for (const [name, fault] of faults) await suffer(name, fault, place, prometheus);
  } finally {
    await ends.all();
  }
}

/** Starts a node or a cluster, two servers and Prometheus. */
async function start(ends: Ends, inCluster: boolean): Promise<{ place: Place; prometheus: Prometheus }> {
  const drill = await startDrill(ends, inCluster ? CLUSTER_NODES : 1, PORT, { isSecured: inCluster });
  const [node] = drill.nodes;
  if (!node) throw new Error('No node was started');
  const keyspace = String(drill.environment['CASSANDRA_KEYSPACE']);
  const clockFile = join(drill.folder, 'clock');
  const mailPort = await freePort();
  await writeFile(clockFile, '0');
  const environment = {
    ...drill.environment,
    ...(inCluster && (await loginOfServers(drill, keyspace))),
    CLOCK_OFFSET_FILE: clockFile,
    QUERIES_MAX: '16',
    AUDIT_ROWS_PER_SECOND: '100000',
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: 'library@example.com',
  };
  const ports = { one: await freePorts(), two: await freePorts() };
  const startOn = async ({ api, metrics }: typeof ports.one, release = PROJECT) => {
    const server = await startProcess(
      { ...environment, PORT: String(api), METRICS_PORT: String(metrics) },
      undefined,
      join(release, SERVER),
    );
    ends.add(server.stop);
    return server;
  };
  const servers = { one: await startOn(ports.one), two: await startOn(ports.two) };
  const replace = async (which: 'one' | 'two', release?: string) => {
    await servers[which].stop();
    servers[which] = await startOn(ports[which], release);
  };
  const targets = Object.values(ports).map(({ metrics }) => `127.0.0.1:${metrics}`);
  const prometheus = await startPrometheus(join(drill.folder, 'prometheus'), await freePort(), targets);
  ends.add(prometheus.stop);

  const [book] = await drill.execute('SELECT book_id FROM books LIMIT 1');
  const place: Place = {
    node,
    nodes: drill.nodes,
    keyspace,
    one: () => servers.one,
    two: () => servers.two,
    restart: (which) => replace(which),
    upgrade: async (which) => {
      const later = join(drill.folder, 'later');
      await makeLaterRelease(later);
      await migrate(readConfig(drill.environment).cassandra, say, await readMigrations(migrationsOf(later)));
      await replace(which, later);
    },
    clockFile,
    bookId: encodeId({ type: 'Book', key: String(book?.['book_id']) }),
    execute: drill.execute,
    nodetool: async ({ dataFolder }, ...given) => {
      await promisify(execFile)(nodetoolOf(dataFolder), given);
    },
    tool: async (name, ...given) => {
      await drill.tool(name, ...given).catch((error: unknown) => {
        say(String(error));
      });
    },
    gauge: async (which, name) => {
      const metrics = await (await fetch(`http://127.0.0.1:${ports[which].metrics}/metrics`)).text();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1]);
    },
    startMailServer: () => {
      const mails = new SMTPServer({
        authOptional: true,
        disabledCommands: ['AUTH', 'STARTTLS'],
        onData: (stream, _session, done) => {
          stream.resume().once('end', () => {
            done(null);
          });
        },
      }).listen(mailPort, '127.0.0.1');
      ends.add(() => new Promise((resolve) => void mails.close(() => resolve(undefined))));
    },
  };
  return { place, prometheus };
}

/** Makes a login with the permissions of servers, and returns the settings for it. */
async function loginOfServers({ execute }: Drill, keyspace: string): Promise<Record<string, string>> {
  await makeRoles(execute, keyspace);
  await makeLogin(execute, LOGIN, LOGIN, 'library_server');
  return { CASSANDRA_USERNAME: LOGIN, CASSANDRA_PASSWORD: LOGIN };
}

/** Causes a fault, waits for its alerts, ends it, and waits until they have ended. */
async function suffer(name: string, { alerts, make }: Fault, place: Place, prometheus: Prometheus): Promise<void> {
  const thoseThatFire = async () => {
    const firing = await prometheus.firing();
    return alerts.filter((alert) => firing.has(alert));
  };
  // A former fault, or the start, may have fired them too.
  const early = await until(ENDS_WITHIN_MS, thoseThatFire);
  if (early.length > 0) throw new Error(`Before "${name}" there is an alert already: ${early.join(', ')}`);

  const over = new AbortController();
  const begunAt = performance.now();
  const seconds = () => ((performance.now() - begunAt) / 1_000).toFixed(0);
  const end = await make(place, over.signal);
  const fired = await until(FIRES_WITHIN_MS, async (seen: Set<string>) => {
    for (const alert of await prometheus.firing()) seen.add(alert);
    return alerts.filter((alert) => !seen.has(alert));
  });
  const firedAfter = seconds();
  over.abort();
  await end();
  if (fired.length > 0) throw new Error(`"${name}" does not fire ${fired.join(', ')}`);

  const staying = await until(ENDS_WITHIN_MS, thoseThatFire);
  if (staying.length > 0) throw new Error(`"${name}" is over, but not ${staying.join(', ')}`);
  say(`${name}: ${alerts.join(', ')} after ${firedAfter} s, over after ${seconds()} s`);
}

/** Polls each second until nothing is left, and returns the rest when the time is over. */
async function until(milliseconds: number, left: (seen: Set<string>) => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + milliseconds;
  const seen = new Set<string>();
  for (;;) {
    const found = await left(seen);
    if (found.length === 0 || performance.now() > deadline) return found;
    await sleep(1_000);
  }
}
