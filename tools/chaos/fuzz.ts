import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { appContext } from '../../src/app/app-context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { PLACES, SAMPLE, SAMPLE_LIBRARIES } from '../places.ts';
import { importBooks } from '../../src/catalogue/import.ts';
import { importLibraries } from '../../src/libraries/import.ts';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { readConfig } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context/context.ts';
import { startEmbedded } from '../launch/embedded.ts';
import { migrate } from '../../src/schema/migrate.ts';
import { say } from '../../src/terminal/progress.ts';
import { Ends } from '../support/ends.ts';
import { WITHOUT_LIMITS } from '../support/process.ts';
import { compareWays } from '../fuzz/differential.ts';
import { ATTACKS } from '../fuzz/attacks.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { startHere } from '../fuzz/here.ts';
import { siege } from '../fuzz/siege.ts';
import { longestOf, shownPauses, shownTurn, WatchedServer } from '../fuzz/watched.ts';

/**
 * `npm run chaos -- fuzz [--seed N] [--requests N] [--turn-max-ms N]`: sends generated requests to
 * a real server on a fresh Cassandra. It exits with 1 if the server answers with an internal error,
 * breaks a connection, leaks memory, or exceeds the time limit in one turn of its event loop.
 *
 * With `--minutes N` readers attack the server with all attacks of `fuzz/attacks.ts` at once, while
 * another reader likes and pages. It exits with 1 if the server ends, answers with an internal
 * error, loses a like, or answers a health check too late. `--readers N` is the number of
 * attackers.
 *
 * With `--differential N` it sends N generated operations through each way in which the server can
 * answer them, and exits with 1 at the first whose answers, statements or stored values differ.
 */

const REPORTED_EVERY = 5_000;
/** The allowed ratio of the memory in use late in a run to the memory in use early. */
const GROWTH_MAX = 1.25;
/** The time is longer than a garbage collection of the server and the report of its turns. */
const GARBAGE_MS = 700;
/** The maximum work in one turn on a quiet machine. */
const TURN_MAX_MS = 50;
const MIB = 2 ** 20;
/** The number of books, and of libraries. */
const ROWS_MAX = 1_000;

/**
 * Limits would end a run early, and hashes as strong as in production would take most of its time.
 */
const HURRIED = { ...WITHOUT_LIMITS, ARGON2_MEMORY_KIB: '8192', ARGON2_PASSES: '1' };

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    seed: text,
    requests: text,
    differential: text,
    'turn-max-ms': text,
    minutes: text,
    readers: text,
    attacks: text,
  },
});
const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.differential ?? values.requests ?? 100_000);
const turnMaxMs = Number(values['turn-max-ms'] ?? TURN_MAX_MS);
const [minutes, readers] = [Number(values.minutes ?? 1), Number(values.readers ?? 1)];
const attacks = values.attacks?.split(',') ?? Object.keys(ATTACKS);
if (
  ![seed, requests, turnMaxMs, minutes, readers].every((given) => Number.isSafeInteger(given) && given >= 1) ||
  !attacks.every((name) => Object.hasOwn(ATTACKS, name))
) {
  say(`Usage: npm run chaos -- fuzz [--seed N] with one of these, whole numbers of at least 1:
  [--requests N] [--turn-max-ms N]
  --differential N
  --minutes N [--readers N] [--attacks ${Object.keys(ATTACKS).join(',')}]`);
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'social-e-library-fuzz-'));
const ends = new Ends();
ends.add(() => rm(folder, { recursive: true, force: true }));
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await ends.all();
}

async function run(): Promise<boolean> {
  const place = { dataFolder: join(folder, 'node'), isTemporary: true };
  const node = await startEmbedded(PLACES.folder, place, say);
  ends.add(node.stop);
  const environment = {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'error',
    CASSANDRA_CONTACT_POINTS: node.contactPoints.join(','),
    CASSANDRA_KEYSPACE: 'fuzz',
    ACCESS_TOKEN_SECRET: 'a secret that only this run uses',
    // A part of it is imported first, because the turns would include the import.
    SAMPLE_DATA: 'off',
    ...(values.minutes === undefined ? HURRIED : { TRUST_PROXY: '1' }),
  };
  say(`seed ${seed}`);
  if (values.differential !== undefined) return compare(environment);
  const app = await connect(environment);
  await importBooks(app, SAMPLE, { rowsMax: ROWS_MAX });
  await importLibraries(app, SAMPLE_LIBRARIES, { rowsMax: ROWS_MAX });
  const watched = await WatchedServer.start(environment);
  const { server, turns } = watched;
  ends.add(server.stop);
  if (values.minutes !== undefined)
    return (await siege(app, watched, { seed, minutes, readers, attacks })).length === 0;
  const collectGarbage = async () => {
    server.process.kill('SIGUSR2');
    await sleep(GARBAGE_MS);
  };
  const onProgress = (sent: number) => {
    if (sent % REPORTED_EVERY === 0) say(`${sent} sent`);
  };
  const report = await fuzz(server.url, seed, requests, { turns, turnMaxMs, collectGarbage, onProgress });
  for (const { what, request } of report.failures) {
    say(what);
    if (!request) continue;
    const { method, path, headers, body, raw } = request;
    say(`  of ${method} ${path} ${JSON.stringify(headers)}\n  ${raw ?? String(body).slice(0, 5_000)}`);
  }
  const hasEnded = watched.endedBy !== undefined;
  if (report.failures.length > 0 || hasEnded)
    say(`the server ${hasEnded ? 'ended' : 'says'}:\n${watched.said().slice(-5_000)}`);

  const counts = Object.entries(report.statuses).map(([status, count]) => `${count} × ${status}`);
  say(`${report.sent} requests: ${counts.join(', ')}; ${report.whole} answered with data and no error`);
  const longest = longestOf(turns);
  say(`the longest turn: ${longest ? shownTurn(longest) : 'none was long'}; pauses: ${shownPauses(watched.pauses)}`);
  const growth = growthOf(report.heap);
  say(
    `kept in the heap, median of each fifth: ${fifthsOf(report.heap).join(', ')} MiB; ` +
      `the last is ${growth.toFixed(2)} × the second`,
  );
  return report.failures.length === 0 && !hasEnded && growth <= GROWTH_MAX;
}

/** Creates the tables, and connects this process. */
async function connect(environment: Readonly<Record<string, string | undefined>>): Promise<AppContext> {
  const config = readConfig(environment);
  await migrate(config.cassandra, () => undefined);
  const cassandra = await connectCassandra(config.cassandra);
  ends.add(() => cassandra.client.shutdown());
  return appContext({ config, cassandra, logger: makeLogger('fatal') });
}

/** Returns true if a server gives the same answers in each way. */
async function compare(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  // Without these settings, answers may be a second old, and costs are not reported.
  const server = await startHere({ ...environment, SHOWN_AGE_MAX_MS: '0', RATE_LIMIT_PER_MINUTE: '1000000' });
  ends.add(server.stop);
  const onProgress = (compared: number) => {
    if (compared % REPORTED_EVERY === 0) say(`${compared} compared`);
  };
  const { compared, whole, unsettled, invalid, differences } = await compareWays(server, seed, requests, {
    onProgress,
  });
  for (const difference of differences) say(JSON.stringify(difference, undefined, 2).slice(0, 20_000));
  say(
    `${compared} operations compared, ${whole} answered with data and no error; ` +
      `${unsettled} differed once, ${invalid} were not valid and not sent; ${differences.length} differences`,
  );
  return differences.length === 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function fifthsOf(bytes: readonly number[]): number[] {
  const length = Math.max(1, Math.ceil(bytes.length / 5));
  const parts = [0, 1, 2, 3, 4].map((part) => bytes.slice(part * length, (part + 1) * length));
  return parts.filter((part) => part.length > 0).map((part) => Math.round(median(part) / MIB));
}

/** The first fifth fills caches. */
function growthOf(bytes: readonly number[]): number {
  const [, second, ...others] = fifthsOf(bytes);
  const last = others.at(-1);
  return second === undefined || last === undefined ? 1 : last / second;
}
