import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { uuidOf } from '../src/graphql/ids.ts';
import { say } from '../src/terminal/progress.ts';
import { Chance } from '../tools/support/chance.ts';
import { compareAnswers } from './api/compare.ts';
import { shareCores } from './api/cores.ts';
import { makeData } from './api/data.ts';
import { executionAlone, measureLayers, startProfiled, tableOfLayers } from './api/layers.ts';
import type { Data } from './api/shapes.ts';
import { startPostgraphile } from './api/postgraphile.ts';
import { startCassandraSystems, type System } from './api/systems.ts';
import { rowsOf, summaryOf, tableOf, type Row } from './api/table.ts';
import { Load } from './api/turns.ts';
import { sequences, WORKLOADS, type Asked, type Workload } from './api/workloads.ts';
import { machine, withBench, type Bench } from './bench.ts';

/**
 * `npm run bench -- api`: compares our server with others on the same data, in one run. Before
 * anything is timed, and again at the end, the answers of the systems are compared. The systems
 * take turns, and each round begins with another one. Our server has no limits for callers, and
 * admits all requests.
 */

const USAGE = `Usage: npm run bench -- api [--quick] [--books N] [--readers N] [--likes N] [--rounds N] [--seconds N] [--warm-up N] [--seed N] [--layers] [WORKLOAD…]
  --layers                     print the processor time of our server and the floor by layer instead
  --quick                      a quick look, at a size at which everything is cached: 2000, 1000 and 60000, 2 rounds
  --books, --readers, --likes  amounts of data, by default 10000, 5000 and 394091; books beyond the sample's are invented
  --rounds, --seconds          number of turns of each system, by default 5, and their length
  --warm-up                    seconds of load before the turns
  --seed                       seed of the data and requests
  workloads                    book home likes likers history like mixed tao; by default all`;

const CONNECTIONS = 16;
/**
 * The seconds in which V8 still compiles what a server does, and each reader is requested once. 20
 * likers took 0.56 ms of processor time in the first 3 s, and 0.33 from the ninth on.
 */
const WARM_UP_SECONDS = 12;
/** The number of compared answers of each operation. */
const COMPARED = 20;
/** The minimum number of sequences in a turn; after the last one, they begin again. */
const SEQUENCES_MIN = 4_000;
/**
 * The time until cached counts have expired. Counts may be a second old, even after likes were
 * taken back.
 */
const SETTLED_MS = 2_500;

const REAL = { books: 10_000, readers: 5_000, likes: 394_091, rounds: 5 };
/** The size of the data at which caches answer nearly everything. */
const CACHED = { books: 2_000, readers: 1_000, likes: 60_000, rounds: 2 };

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    layers: { type: 'boolean' },
    books: text,
    readers: text,
    likes: text,
    rounds: text,
    seconds: text,
    'warm-up': text,
    seed: text,
  },
});
const size = values.quick === true ? CACHED : REAL;
const settings = {
  books: Number(values.books ?? size.books),
  readers: Number(values.readers ?? size.readers),
  likes: Number(values.likes ?? size.likes),
  rounds: Number(values.rounds ?? size.rounds),
  seconds: Number(values.seconds ?? 4),
  warmUp: Number(values['warm-up'] ?? WARM_UP_SECONDS),
  seed: Number(values.seed ?? 1),
};
const names = positionals.length > 0 ? positionals : Object.keys(WORKLOADS);
const isUsable = Object.values(settings).every((value) => Number.isInteger(value) && value > 0);
if (!isUsable || names.some((name) => !Object.hasOwn(WORKLOADS, name))) {
  say(USAGE);
  process.exit(2);
}

say(machine());
const sizes = Object.entries(settings)
  .map(([name, value]) => `${name} ${value}`)
  .join(', ');
say(sizes);
await withBench(1, run, settings.books);
process.exit(0);

async function run(bench: Bench): Promise<void> {
  const data = await makeData(bench, settings, settings.seed, names.includes('home'));
  const load = new Load(CONNECTIONS);
  bench.atEnd(() => load.stop());
  if (values.layers === true) {
    await measureAllLayers(bench, data, load);
    return;
  }
  const systems = await Promise.all(startCassandraSystems(bench, data));
  systems.push(...(await startPostgraphile(bench, data, CONNECTIONS)));
  say(shareCores(systems.map(({ pid }) => pid)));
  await compare(systems, data, 'before');

  const results = new Map<string, Row[]>();
  for (const name of names) {
    const workload = WORKLOADS[name];
    if (!workload) continue;
    results.set(workload.title, await measure(workload, systems, data, load));
  }
  process.stdout.write(`${summaryOf(results)}\n`);
  await sleep(SETTLED_MS);
  await compare(systems, data, 'after');
}

/** Prints the processor time of each layer for all workloads. */
async function measureAllLayers(bench: Bench, data: Data, load: Load): Promise<void> {
  const systems = await startProfiled(bench, data);
  for (const system of systems) await system.refresh?.();
  say(shareCores(systems.map(({ pid }) => pid)));

  for (const name of names) {
    const workload = WORKLOADS[name];
    if (!workload) continue;
    say(`— ${workload.title}`);
    const measured = await inRounds(systems, (system, round, seconds) =>
      measureLayers(system, load, data, sequencesFor(workload, system, round, data), seconds),
    );
    process.stdout.write(`${tableOfLayers(measured)}\n`);
    const [ours] = systems;
    const [[asked] = []] = ours ? sequencesFor(workload, ours, 0, data) : [];
    if (!ours || !asked) continue;
    say(`graphql-js alone, with all values at hand: ${(await executionAlone(ours, data, asked)).toFixed(0)} µs`);
  }
}

/** Makes a random generator that is the same in every run, and different for each name. */
function chanceOf(name: string): Chance {
  return new Chance(parseInt(uuidOf(`${settings.seed} ${name}`).slice(0, 8), 16));
}

/** Compares the answers to every operation of the workloads. */
async function compare(systems: readonly System[], data: Data, when: 'before' | 'after'): Promise<void> {
  const operations = new Set(names.flatMap((name) => Object.keys(WORKLOADS[name]?.shares ?? {})));
  for (const operation of operations) {
    const alone = { title: operation, shares: { [operation]: 1 } };
    const asked = sequences(data, alone, COMPARED, chanceOf(`${when} ${operation}`));
    const asking = systems.filter(({ only }) => !only || only.some((name) => name === operation));
    for (const system of asking) await system.refresh?.();
    say(`${when}, ${operation}: ${await compareAnswers(asking, data, asked)} answers are the same`);
    // Likes were taken back. The next answers must not show older counts.
    if (operation === 'like') await sleep(SETTLED_MS);
  }
}

async function measure(workload: Workload, all: readonly System[], data: Data, load: Load): Promise<Row[]> {
  say(`— ${workload.title}`);
  const systems = all.filter(
    ({ only }) => !only || only.some((operation) => Object.hasOwn(workload.shares, operation)),
  );
  const measured = await inRounds(systems, (system, round, seconds) =>
    load.turn(system, data, sequencesFor(workload, system, round, data), seconds),
  );
  const rows = rowsOf(measured);
  process.stdout.write(`${tableOf(rows)}\n`);
  return rows;
}

/** Warms the systems up, and gives each of them a turn in every round. */
async function inRounds<Each extends System, Measured>(
  systems: readonly Each[],
  turn: (system: Each, round: number, seconds: number) => Promise<Measured>,
): Promise<Map<string, Measured[]>> {
  for (const system of systems) await turn(system, 0, settings.warmUp);

  const measured = new Map(systems.map(({ name }) => [name, [] as Measured[]]));
  for (let round = 1; round <= settings.rounds; round++)
    for (const system of inOrderOf(round, systems))
      measured.get(system.name)?.push(await turn(system, round, settings.seconds));
  return measured;
}

/** Makes the requests of a turn. Each reader makes at least two, and is the subject of as many. */
function sequencesFor(workload: Workload, system: System, round: number, data: Data): Asked[][] {
  const count = Math.max(SEQUENCES_MIN, 2 * settings.readers);
  return sequences(data, workload, count, chanceOf(`${workload.title} ${round} ${system.name}`));
}

/**
 * Orders the systems of a round: each round begins with another one, and all wait equally long
 * before their turns. If each round reversed the order instead, the first and the last system would
 * have two consecutive turns, and be warm for the second.
 */
function inOrderOf<Each>(round: number, systems: readonly Each[]): Each[] {
  const first = round % systems.length;
  return [...systems.slice(first), ...systems.slice(0, first)];
}
