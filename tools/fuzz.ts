import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PLACES } from '../src/app/places.ts';
import { startEmbedded } from '../src/launch/embedded.ts';
import { say } from '../src/terminal/progress.ts';
import { startProcess, WITHOUT_LIMITS } from './support/process.ts';
import { compareWays } from './fuzz/differential.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { startHere } from './fuzz/here.ts';

/**
 * `npm run fuzz -- [--seed N] [--requests N]` sends generated requests to a real server on a fresh
 * Cassandra. It exits with 1 if the server answers with an error of its own, breaks off, is held up
 * by a request, or grows.
 *
 * With `--differential N` it asks for N generated operations by each way that the server has of
 * answering them, and exits with 1 at the first whose answers, statements or stored values differ.
 */

const SERVER = join(import.meta.dirname, 'fuzz/server.ts');
const REPORTED_EVERY = 5_000;
/** The allowed ratio of the memory kept late in a run to that kept early. */
const GROWTH_MAX = 1.25;
/** The time is longer than a garbage collection of the server. */
const GARBAGE_MS = 300;
const MIB = 2 ** 20;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, requests: text, differential: text } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.differential ?? values.requests ?? 100_000);
if (!Number.isSafeInteger(seed) || seed < 0 || !Number.isSafeInteger(requests) || requests < 1) {
  say('Usage: npm run fuzz -- [--seed N] [--requests N | --differential N], whole numbers of at least 1');
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'social-e-library-fuzz-'));
const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
}

async function run(): Promise<boolean> {
  const node = await startEmbedded(PLACES.folder, { dataFolder: join(folder, 'node') }, say);
  ends.push(node.stop);
  const environment = {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'error',
    CASSANDRA_CONTACT_POINTS: node.contactPoints.join(','),
    CASSANDRA_KEYSPACE: 'fuzz',
    ACCESS_TOKEN_SECRET: 'a secret of this run, and of no other',
    // Limits would end the run soon, and hashes as strong as those of production take most of its
    // time.
    ...WITHOUT_LIMITS,
    ARGON2_MEMORY_KIB: '8192',
    ARGON2_PASSES: '1',
  };
  say(`seed ${seed}, ${requests} requests`);
  if (values.differential !== undefined) return compare(environment);
  const server = await startProcess(environment, undefined, SERVER);
  ends.push(server.stop);
  const collectGarbage = async () => {
    server.process.kill('SIGUSR2');
    await sleep(GARBAGE_MS);
  };
  const report = await fuzz(server.url, seed, requests, collectGarbage, (sent) => {
    if (sent % REPORTED_EVERY === 0) say(`${sent} sent`);
  });
  for (const { what, request } of report.failures) {
    const { method, path, headers, body, raw } = request;
    say(`${what}\n  of ${method} ${path} ${JSON.stringify(headers)}\n  ${raw ?? String(body).slice(0, 5_000)}`);
  }
  const hasEnded = server.process.exitCode !== null || server.process.signalCode !== null;
  if (report.failures.length > 0 || hasEnded)
    say(`the server ${hasEnded ? 'ended' : 'says'}:\n${server.printed().slice(-5_000)}`);

  const counts = Object.entries(report.statuses).map(([status, count]) => `${count} × ${status}`);
  say(`${report.sent} requests: ${counts.join(', ')}; ${report.whole} answered with data and no error`);
  const growth = growthOf(report.heap);
  say(
    `kept in the heap, median of each fifth: ${fifthsOf(report.heap).join(', ')} MiB; the last is ${growth.toFixed(2)} × the second`,
  );
  return report.failures.length === 0 && !hasEnded && growth <= GROWTH_MAX;
}

/** Returns true if a server answers alike by each way. */
async function compare(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  // Answers may otherwise be a second old, and costs are reported only where they are limited.
  const server = await startHere({ ...environment, SHOWN_AGE_MAX_MS: '0', RATE_LIMIT_PER_MINUTE: '1000000' });
  ends.push(server.stop);
  const onProgress = (compared: number) => {
    if (compared % REPORTED_EVERY === 0) say(`${compared} compared`);
  };
  const { compared, whole, unsettled, invalid, differences } = await compareWays(server, seed, requests, {
    onProgress,
  });
  for (const difference of differences) say(JSON.stringify(difference, undefined, 2).slice(0, 20_000));
  say(
    `${compared} operations compared, ${whole} answered with data and no error; ${unsettled} differed once, ${invalid} were not valid and not sent; ${differences.length} differences`,
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
