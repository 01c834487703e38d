import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { AppContext } from '../src/context/context.ts';
import { say } from '../src/terminal/progress.ts';
import type { ServerProcess } from '../tools/support/process.ts';
import { registerAll } from '../tools/cluster/load.ts';
import type { ClusterNode } from '../tools/support/test-cluster.ts';
import { machine, withBench, type Bench } from './bench.ts';
import { auditAll, hintsOf, messagesOf, openSince, untilFinished, untilNothingIsOpen } from './outage/left.ts';
import { SteadyLoad } from './outage/load.ts';
import { Meter, ratesOf, summed, type Reading } from './outage/meter.ts';

/**
 * `npm run bench -- outage [--seconds N]`: measures the cost of a data centre that is down for an
 * hour, or N seconds. It measures the work of the others meanwhile, and the time until everything
 * is finished after its return. There are three data centres of a node and a server each, so that
 * any of them may be lost, with a low and constant load. During the outage the servers of the two
 * remaining data centres are killed, one after the other, and replaced. It ends with an audit of
 * everything, and exits with 1 if anything has drifted.
 */

const STAYING = ['datacenter1', 'datacenter2'];
const GONE = 'datacenter3';
const READERS = 60;
const BOOKS = 200;
/** The rate of changes at the remaining data centres. */
const PER_SECOND = 6;
/** The rate of changes by readers of the lost data centre. */
const PER_SECOND_THERE = 1;
const WARM_UP_SECONDS = 20;
const RETURN_SECONDS = 60;
const STARTS_MAX = 10;
const READ_EVERY_SECONDS = 10;
const TOLD_EVERY = 6;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3600' }, quiet: { type: 'string', default: '180' } },
});
const [seconds, quietSeconds] = [Number(values.seconds), Number(values.quiet)];
if (![seconds, quietSeconds].every((given) => Number.isSafeInteger(given) && given >= 30)) {
  say(
    'Usage: npm run bench -- outage [--seconds N] [--quiet N]: the outage and the quiet before ' +
      'it, at least 30 seconds each',
  );
  process.exit(2);
}

say(machine());
let drift = NaN;
await withBench(
  [...STAYING, GONE],
  async (bench) => {
    drift = await measureOutage(bench);
  },
  BOOKS,
);
process.exit(drift === 0 ? 0 : 1);

/** @returns the number of drifted rows */
async function measureOutage(bench: Bench): Promise<number> {
  const { app, nodes, bookIds } = bench;
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-outage-'));
  bench.atEnd(() => rm(folder, { recursive: true, force: true }));
  const logFiles: string[] = [];
  const startServer = (dataCentre: string) => {
    const logFile = join(folder, `server-${String(logFiles.length)}.log`);
    logFiles.push(logFile);
    return bench.startServer({ CASSANDRA_LOCAL_DC: dataCentre }, logFile);
  };
  const servers = new Map<string, ServerProcess>();
  for (const dataCentre of [...STAYING, GONE]) servers.set(dataCentre, await startServer(dataCentre));
  const staying = () => STAYING.flatMap((dataCentre) => servers.get(dataCentre) ?? []);
  const kill = (dataCentre: string) => {
    servers.get(dataCentre)?.process.kill('SIGKILL');
    servers.delete(dataCentre);
  };
  const node = nodes.find(({ dataCentre }) => dataCentre === GONE);
  if (!node) throw new Error(`There is no node in ${GONE}`);

  const readers = await registerAll(staying()[0]?.url ?? '', READERS);
  const load = new SteadyLoad(PER_SECOND, () => staying().map(({ url }) => url), readers, bookIds);
  const loadThere = new SteadyLoad(PER_SECOND_THERE, () => [servers.get(GONE)?.url ?? []].flat(), readers, bookIds);
  const phase = (name: string, duration: number, amid?: () => Promise<void>) =>
    observe({ app, nodes, load, servers: staying }, name, duration, amid);

  await sleep(WARM_UP_SECONDS * 1_000);
  const quiet = await phase('quiet', quietSeconds);
  say(`${GONE} is lost: its node and its server are killed`);
  node.signal('SIGKILL');
  kill(GONE);
  const outage = await phase('outage', seconds, async () => {
    for (const dataCentre of STAYING) {
      say(`the server of ${dataCentre} is killed, and another one started`);
      kill(dataCentre);
      servers.set(dataCentre, await startServer(dataCentre));
    }
  });

  await node.restart();
  say(`${GONE} is back: its node answers, and its server is started`);
  const isServerBack = startUntilReady(() => startServer(GONE)).then((server) => servers.set(GONE, server));
  const { finished, delivered } = await untilFinished(app, nodes, () => [...servers.values()]);
  await isServerBack;
  const returned = await phase('return', RETURN_SECONDS);
  await Promise.all([load.end(), loadThere.end()]);
  await untilNothingIsOpen(app);
  const drifted = await auditAll(app);

  tellStatements([quiet, outage, returned]);
  say(`warnings and errors of the servers: ${shownCounts(await messagesOf(logFiles))}`);
  for (const name of ['recovery', 'logged', 'all'] as const)
    say(`${name}: ${(ratesOf(outage)[name] / ratesOf(quiet)[name]).toFixed(2)} × as many statements as in the quiet`);
  say(`the nodes had delivered all hints ${delivered.toFixed(1)} s after the return`);
  say(`all was finished ${finished.toFixed(1)} s after the return (at most 60 asked)`);
  return drifted;
}

/**
 * Starts a server, and restarts it when it ends, like a supervisor. Its node may still be receiving
 * hints.
 */
async function startUntilReady(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
      say(`a server did not start; starting it again: ${String(error)}`);
    }
  }
}

/** The observations of a phase. */
interface Observed {
  readonly app: AppContext;
  readonly nodes: readonly ClusterNode[];
  readonly load: SteadyLoad;
  readonly servers: () => readonly ServerProcess[];
}

/**
 * Observes for some seconds the statements that servers send, and prints them every minute.
 * @param amid called when half of the time is over
 */
async function observe(
  { app, nodes, load, servers }: Observed,
  name: string,
  duration: number,
  amid?: () => Promise<void>,
): Promise<Reading> {
  const meter = new Meter();
  await meter.read(servers());
  load.takeOutcomes();
  const readings: Reading[] = [];
  const count = Math.ceil(duration / READ_EVERY_SECONDS);
  let happening: Promise<void> | undefined;
  for (let index = 1; index <= count; index++) {
    await sleep((duration / count) * 1_000);
    readings.push(await meter.read(servers()));
    if (index % TOLD_EVERY === 0 || index === count) {
      const { log, jobs } = await openSince(app, new Date());
      const megabytes = ((await hintsOf(nodes)) / 1e6).toFixed(1);
      const last = summed(readings.slice(-(index % TOLD_EVERY || TOLD_EVERY)));
      say(
        `${name}, ${((index * duration) / count).toFixed(0)} s: ${shownReading(last)}; ` +
          `${String(log)} in the log, ${String(jobs)} jobs, ` +
          `${megabytes} MB of hints; calls: ${shownCounts(load.takeOutcomes())}`,
      );
    }
    if (index === Math.ceil(count / 2)) happening = amid?.();
  }
  await happening;
  const all = summed(readings);
  say(`${name}: ${shownReading(all)}`);
  return all;
}

/** Prints the rate of each statement in each phase, most frequent first. */
function tellStatements(phases: readonly Reading[]): void {
  const [first, ...others] = phases;
  const labels = new Set([first, ...others].flatMap((each) => [...(each?.statements.keys() ?? [])]));
  const rateOf = (label: string) => (reading: Reading) => (reading.statements.get(label) ?? 0) / reading.seconds;
  const sorted = [...labels].toSorted(
    (one, other) => Math.max(...phases.map(rateOf(other))) - Math.max(...phases.map(rateOf(one))),
  );
  for (const label of sorted) {
    const rates = phases.map((reading) => rateOf(label)(reading).toFixed(2).padStart(8));
    say(`${rates.join(' ')}  ${label}`);
  }
}

function shownReading(reading: Reading): string {
  const { recovery, logged, all } = ratesOf(reading);
  const gauges = [...reading.gauges]
    .filter(([, value]) => value > 0)
    .map(([name, value]) => `, ${name} ${String(value)}`);
  return (
    `statements a second: ${recovery.toFixed(1)} recovery, ${logged.toFixed(1)} logged, ` +
    `${all.toFixed(1)} in all${gauges.join('')}`
  );
}

function shownCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, times]) => `${String(times)} × ${what}`).join(', ');
}
