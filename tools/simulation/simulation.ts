import { audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';
import { DAY_MS } from '../../src/time/units.ts';
import type { Act, Scene } from './acts/act.ts';
import { callAccounts } from './acts/accounts.ts';
import { callBooks } from './acts/books.ts';
import { callClicks } from './acts/clicks.ts';
import { callCopies } from './acts/copies.ts';
import { callFollows } from './acts/follows.ts';
import { callImports, importAll } from './acts/imports.ts';
import { callLibraryImports } from './acts/library-imports.ts';
import { callLikes, callLikesOfWritten } from './acts/likes.ts';
import { callLists } from './acts/lists.ts';
import { callLooks } from './acts/looks.ts';
import { callViews } from './acts/views.ts';
import { callModeration } from './acts/moderation.ts';
import { callRatings } from './acts/ratings.ts';
import { callReadings } from './acts/readings.ts';
import { callReviews } from './acts/reviews.ts';
import { callSessions } from './acts/sessions.ts';
import { callSuspensions } from './acts/suspensions.ts';
import { callTakeDowns } from './acts/take-downs.ts';
import { isToBeCounted } from './checks/counts.ts';
import { driftOf } from './checks/drift.ts';
import { wronglyShown } from './checks/looks.ts';
import { Cluster, NO_FAULTS, type Faults, type Sabotage } from './cluster/cluster.ts';
import { modeOf, type Mode } from './cluster/nodes.ts';
import { foundLibrary, type ImportedFile, type Library } from './library.ts';
import { Process } from './process.ts';
import { AUDITS, contextOf, Servers } from './servers.ts';
import { withoutSigning } from './signing.ts';
import { inTimeOf } from './timers.ts';
import { World } from './world.ts';

/**
 * The product's own operations, in a simulated world: a cluster that loses, delays and refuses,
 * servers that die or pause at any await, clocks that differ and are set. After the faults end,
 * there must be no drift, and the observations of callers must be linearizable.
 * `docs/simulation.md` lists the parts of the system that this world simulates, and those that it
 * does not.
 */

const CALLERS = 6;
/**
 * The maximum deviation of a server's clock. A write with a clock that is ahead, such as the end of
 * a job, wins until the other clocks reach it.
 */
const CLOCKS_OFF_MAX_MS = 600_000;
/**
 * The time in which all work is finished after the faults end, including all waits after failures.
 */
const FINISHED_WITHIN_MS = CLOCKS_OFF_MAX_MS + 500_000;
/** The probability of a round in which a few readers only like and unlike one book. */
const CROWD_CHANCE = 0.25;
/** The probability of any other round in which readers only make lists and write reviews. */
const WRITING_CHANCE = 0.2;
/** The probability of any other round in which few readers only follow and block each other. */
const CIRCLE_CHANCE = 0.15;
/**
 * The probability of a round in which the servers count the events. The first count reads the
 * windows of a week.
 */
const COUNTED_CHANCE = 0.1;
/**
 * The factor by which such a round has more steps, and more time between two calls, so that some
 * windows end meanwhile.
 */
const COUNTED_LONGER = 3;
const PAUSE_MS = 20;
const COUNTED_PAUSE_MS = 10_000;
/** The probability of a round in which the library is closed for some days. */
const DAYS_OFF_CHANCE = 0.2;

/** The result of a round. */
export interface Round {
  readonly seed: number;
  readonly mode: string;
  readonly steps: number;
  readonly calls: number;
  readonly unknown: number;
  readonly crashes: number;
  /** The problems that were found. */
  readonly problems: readonly string[];
}

/** The settings that a test may change. */
export interface Otherwise {
  readonly mode?: Mode;
  readonly sabotage?: Sabotage;
  readonly isCrowd?: boolean;
  readonly isWriting?: boolean;
  readonly isCircle?: boolean;
  readonly isCounted?: boolean;
  /** The acts of the round, instead of those of its kind. */
  readonly acts?: readonly Act[];
  readonly faults?: Partial<Faults>;
}

const ACTS: readonly { readonly act: Act; readonly weight: number }[] = [
  { act: callLikes, weight: 10 },
  { act: callReadings, weight: 6 },
  { act: callCopies, weight: 4 },
  { act: callAccounts, weight: 2 },
  { act: callBooks, weight: 2 },
  { act: callImports, weight: 1 },
  { act: callModeration, weight: 5 },
  { act: callFollows, weight: 5 },
  { act: callSuspensions, weight: 3 },
  { act: callTakeDowns, weight: 3 },
  { act: callViews, weight: 2 },
  { act: callSessions, weight: 2 },
  { act: callClicks, weight: 4 },
  { act: callRatings, weight: 5 },
  { act: callReviews, weight: 6 },
  { act: callLists, weight: 8 },
  { act: callLibraryImports, weight: 1 },
];

/**
 * The acts of a round in which readers make lists, write reviews and import their libraries: they
 * are few, so that calls contend.
 */
const WRITING = [
  { act: callLists, weight: 10 },
  { act: callReviews, weight: 6 },
  { act: callLikesOfWritten, weight: 6 },
  { act: callAccounts, weight: 1 },
  { act: callLibraryImports, weight: 1 },
];

/**
 * The acts of a round in which readers follow and block each other, and look at what others like:
 * they are few as well.
 */
const CIRCLE = [
  { act: callFollows, weight: 12 },
  { act: callModeration, weight: 10 },
  { act: callLikes, weight: 8 },
  { act: callLooks, weight: 8 },
  { act: callAccounts, weight: 1 },
  { act: callSuspensions, weight: 1 },
];

/**
 * Runs one round: some steps with faults, a quiet phase, and the checks.
 * @param seed the same seed gives the same round
 * @param steps the number of steps with faults; the steps of the quiet phase are additional
 */
export const simulateRound = (seed: number, steps: number, otherwise: Otherwise = {}): Promise<Round> =>
  withoutSigning(() => {
    const world = new World(seed);
    return inTimeOf(world, () => playRound(world, seed, steps, otherwise));
  });

async function playRound(world: World, seed: number, steps: number, otherwise: Otherwise): Promise<Round> {
  const mode = otherwise.mode ?? modeOf(seed);
  const cluster = new Cluster(world, mode, otherwise.sabotage);
  const isCountedDrawn = world.chance(COUNTED_CHANCE);
  const isCounted = otherwise.isCounted ?? isCountedDrawn;
  const servers = new Servers(world, cluster, {
    isAudited: world.chance(0.3),
    isCounting: isCounted,
    clocksOff: world.pick([500, 2_000, CLOCKS_OFF_MAX_MS]),
    clockSteps: world.pick([0, 0, 0.02]),
  });
  const isCrowdDrawn = world.chance(CROWD_CHANCE);
  const isCrowd = otherwise.isCrowd ?? isCrowdDrawn;
  const isWritingDrawn = world.chance(WRITING_CHANCE);
  const isWriting = otherwise.isWriting ?? isWritingDrawn;
  const isCircleDrawn = world.chance(CIRCLE_CHANCE);
  const isCircle = otherwise.isCircle ?? (isCircleDrawn && !isCrowd && !isWriting);
  const weather = () => ({ ...faultsOf(world, isCrowd), ...otherwise.faults });
  const library = await foundLibrary(world, cluster, { isCrowd, isWriting, isCircle });
  const problems: string[] = [];
  let [calls, unknown, underWay, isQuiet] = [0, 0, 0, false];
  const chosen = isCrowd ? ACTS.slice(0, 1) : isWriting ? WRITING : isCircle ? CIRCLE : ACTS;
  const acts = otherwise.acts ?? chosen.flatMap(({ act, weight }) => Array.from({ length: weight }, () => act));

  const sceneNow = (): Scene | undefined =>
    servers.alive.length > 0 ? { world, cluster, library, problems, ...world.pick(servers.alive) } : undefined;
  /**
   * Makes one call after the other. If the server dies during a call, the caller gets no answer and
   * calls another server.
   */
  const callForever = async () => {
    while (!isQuiet) {
      const scene = sceneNow();
      if (scene) {
        calls++;
        underWay++;
        if ((await world.pick(acts)(scene)) === 'UNKNOWN') unknown++;
        underWay--;
      }
      await world.sleep(world.random() * (isCounted ? COUNTED_PAUSE_MS : PAUSE_MS));
    }
  };
  const makeTrouble = async () => {
    for (;;) {
      cluster.network.makeTrouble();
      await world.sleep(1_000);
    }
  };

  void servers.keepRunning();
  void makeTrouble();
  for (let index = 0; index < CALLERS; index++) void callForever();
  if (world.chance(DAYS_OFF_CHANCE)) {
    cluster.faults = weather();
    await world.runUntil(() => world.steps >= steps / 2);
    await turnOffForDays(world, cluster, servers);
  }
  cluster.faults = weather();
  await world.runUntil(() => world.steps >= steps * (isCounted ? COUNTED_LONGER : 1));

  cluster.faults = NO_FAULTS;
  cluster.network.heal();
  servers.calm();
  isQuiet = true;
  await world.runUntil(() => underWay === 0);
  await finishTheRest(world, library, sceneNow);
  // By then recovery has reached all orphaned transactions.
  const quiet = world.now + 40_000;
  await world.runUntil(() => world.now >= quiet && cluster.coordinators.behind === 0);
  // The check takes longer than the steps in between, so it runs from time to time.
  let lookAt = 0;
  const latest = world.now + FINISHED_WITHIN_MS;
  const unfinished = () => [
    ...unfinishedIn(cluster),
    ...(isCounted && isToBeCounted(cluster) ? ['dirty_windows'] : []),
  ];
  await world.runUntil(() => {
    if (world.now < lookAt) return false;
    lookAt = world.now + 100;
    return unfinished().length === 0 || world.now > latest;
  });
  problems.push(...unfinished().map((table) => `the scan of ${table} never ends`));

  problems.push(...driftOf(cluster, library, world, isCounted));
  if (isCircle)
    for (const server of servers.alive) {
      const scene = { world, cluster, library, problems, ...server };
      problems.push(...(await during(world, Array.fromAsync(wronglyShown(scene)))));
    }
  problems.push(...(await auditedIn(world, cluster, mode)));
  return { seed, mode: mode.name, steps: world.steps, calls, unknown, crashes: servers.crashes, problems };
}

/**
 * Imports the unfinished files until they are done. Lists that a killed import has not written are
 * written by its repetition.
 */
async function finishTheRest(world: World, library: Library, sceneNow: () => Scene | undefined): Promise<void> {
  const repeat = async (file: ImportedFile) => {
    while (!file.isDone) {
      const scene = sceneNow();
      if (scene) await importAll(scene, file);
      await world.sleep(1_000);
    }
  };
  for (const file of library.imports) void repeat(file);
  await world.runUntil(() => library.imports.every(({ isDone }) => isDone));
}

/** Lists the tables with unfinished work. */
const unfinishedIn = (cluster: Cluster): string[] => [
  ...['transaction_log', 'jobs'].filter((table) => cluster.scan(table).length > 0),
  ...(cluster.scan('genres').some(({ version, counted_version }) => version !== counted_version) ? ['genres'] : []),
];

/**
 * Turns all servers off for longer than most or all tables keep tombstones. The nodes are repaired
 * before that, so no node lacks any write.
 */
async function turnOffForDays(world: World, cluster: Cluster, servers: Servers): Promise<void> {
  cluster.faults = NO_FAULTS;
  cluster.network.heal();
  servers.turnOff();
  const landed = world.now + 10_000;
  await world.runUntil(() => world.now >= landed && cluster.coordinators.behind === 0);
  world.pass(world.pick([2, 12]) * DAY_MS);
  cluster.compact();
  servers.turnOn();
}

/** Lists the findings of the product's audit, and the tables that it did not read to the end. */
async function auditedIn(world: World, cluster: Cluster, { dataCentres: [dataCentre = ''] }: Mode): Promise<string[]> {
  const said: string[] = [];
  const read = new Map<string, number>();
  const auditAll = async () => {
    const app = contextOf(new Process(world, dataCentre), cluster, world);
    for await (const { drift, unreadable, rows, position } of audit(app, AUDITS, EVERYTHING, false)) {
      const table = position.at?.table ?? '';
      read.set(table, (read.get(table) ?? 0) + rows);
      said.push(...drift.map(({ table, what }) => `the audit reports for ${table}: ${what}`));
      said.push(...unreadable.map(({ table, partition }) => `the audit cannot read ${table}: ${partition}`));
    }
  };
  await during(
    world,
    auditAll().catch((error: unknown) => said.push(`the audit ended: ${String(error)}`)),
  );

  for (const [table, rows] of read) {
    const stored = cluster.scan(table).length;
    if (rows < stored) said.push(`the audit read ${rows} rows of ${stored} in ${table}`);
  }
  return said;
}

/** Lets the time of the world pass until some work is done, and returns its result. */
async function during<Result>(world: World, work: Promise<Result>): Promise<Result> {
  let isDone = false;
  void Promise.allSettled([work]).then(() => (isDone = true));
  await world.runUntil(() => isDone);
  return work;
}

/** Chooses the faults of a round. Each round has different ones. */
function faultsOf(world: World, isCrowd: boolean): Faults {
  const of = (most: number) => (world.chance(0.3) ? 0 : most * world.random());
  return {
    lost: of(0.03),
    refused: of(0.02),
    crash: of(0.003),
    pause: of(0.004),
    dropped: of(0.05),
    uncommitted: world.chance(isCrowd ? 0.3 : 0.7) ? 0 : 0.7 * world.random(),
    cut: of(0.2),
    stuck: of(0.3),
  };
}
