import { transactionLog } from '../../src/transactions/log.ts';
import type { Scene } from './acts/act.ts';
import { callAccounts } from './acts/accounts.ts';
import { callCopies } from './acts/copies.ts';
import { callLikes } from './acts/likes.ts';
import { callReadings } from './acts/readings.ts';
import { driftOf } from './checks/drift.ts';
import { Cluster, NO_FAULTS } from './cluster/cluster.ts';
import type { Mode } from './cluster/nodes.ts';
import { foundLibrary } from './library.ts';
import { Servers } from './servers.ts';
import { withoutSigning } from './signing.ts';
import { inTimeOf } from './timers.ts';
import { World } from './world.ts';

/**
 * A long outage: a data centre is cut off from the others, under a low and steady load on both
 * sides, and a server dies meanwhile. It measures the statements that servers send meanwhile, and
 * the time from the return until everything is finished. `npm run bench -- outage` runs the same on
 * real nodes.
 */

const ACTS = [callLikes, callReadings, callCopies, callAccounts];
/** The time between two calls on each side. */
const CALL_EVERY_MS = 2_000;
/**
 * The number of readers who call without a pause in the last seconds before the cut, so that some
 * work is in progress.
 */
const BUSY_CALLERS = 6;
const BUSY_MS = 3_000;
const WARM_UP_MS = 60_000;
const QUIET_MS = 120_000;
/**
 * The length of an observed part of a phase. It is shorter than the time limit of the simulation.
 */
const PART_MS = 60_000;
const WATCHED_EVERY_MS = 500;
/** The time before the return in which the longest wait of a retry is searched for. */
const OBSERVED_MS = 180_000;
/**
 * The time that unfinished work may take after the return. It is longer than the promised time, so
 * that a longer time is still measured.
 */
const GIVEN_UP_AFTER_MS = 400_000;

/** The remaining data centres, or those that are cut off. */
type Side = 'staying' | 'cutOff';

/** The statements per second and server of one side. */
export interface Cost {
  /** The statements of the log, recovery and jobs, by their tables. */
  readonly recovery: number;
  readonly all: number;
}

/** The result of an outage. */
export interface Outage {
  /** The cost of each side, before the cut and during it. */
  readonly before: Readonly<Record<Side, Cost>>;
  readonly during: Readonly<Record<Side, Cost>>;
  /** The longest time for which a job was unfinished during the cut. */
  readonly oldestJobMs: number;
  /**
   * The number of transactions that waited for another try when the data centre returned, on both
   * sides.
   */
  readonly waiting: number;
  /** The time from the return until no log entries, jobs or retries were left. */
  readonly finishedMs: number;
  readonly problems: readonly string[];
}

const RECOVERY = / (?:transaction_log|incarnations|transaction_dead_letters|jobs|leases)\b/;

/**
 * Cuts a data centre off and reconnects it at the worst moment: when a retry with the longest wait
 * has just failed.
 * @param cutOff the data centres, which are also cut off from each other
 * @param milliseconds the approximate duration of the cut
 */
export const simulateOutage = (
  seed: number,
  mode: Mode,
  cutOff: readonly string[],
  milliseconds: number,
): Promise<Outage> =>
  withoutSigning(() => {
    const world = new World(seed);
    return inTimeOf(world, () => playOutage(world, mode, cutOff, milliseconds));
  });

async function playOutage(world: World, mode: Mode, cutOff: readonly string[], milliseconds: number): Promise<Outage> {
  const cluster = new Cluster(world, mode);
  cluster.faults = NO_FAULTS;
  const servers = new Servers(world, cluster, { isAudited: false, isCounting: false, clocksOff: 100, clockSteps: 0 });
  const library = await foundLibrary(world, cluster, { isCrowd: false, isWriting: false, isCircle: false });
  const problems: string[] = [];
  let [isOver, underWay] = [false, 0];

  const call = async (isOfSide: (dataCentre: string) => boolean) => {
    const near = servers.alive.filter(({ process }) => isOfSide(process.dataCentre));
    if (near.length === 0) return;
    const scene: Scene = { world, cluster, library, problems, ...world.pick(near) };
    underWay++;
    await world.pick(ACTS)(scene);
    underWay--;
  };
  const isThere = (dataCentre: string) => cutOff.includes(dataCentre);
  const isHere = (dataCentre: string) => !cutOff.includes(dataCentre);
  const callNowAndThen = async (isOfSide: typeof isThere) => {
    while (!isOver) {
      void call(isOfSide);
      await world.sleep(CALL_EVERY_MS);
    }
  };
  const callWithoutPause = async (until: number) => {
    while (world.now < until) await call(() => true);
  };
  const pass = async (duration: number) => {
    for (const end = world.now + duration; world.now < end;) {
      const part = Math.min(end, world.now + PART_MS);
      await world.runUntil(() => world.now >= part);
    }
  };

  const meter = new SentByServers(world, cluster, servers, (dataCentre) =>
    cutOff.includes(dataCentre) ? 'cutOff' : 'staying',
  );
  void servers.keepRunning();
  void callNowAndThen(isHere);
  void callNowAndThen(isThere);
  await pass(WARM_UP_MS);
  const before = await meter.during(() => pass(QUIET_MS));

  const busy = world.now + BUSY_MS;
  for (let index = 0; index < BUSY_CALLERS; index++) void callWithoutPause(busy);
  await world.runUntil(() => world.now >= busy);
  for (const dataCentre of cutOff) cluster.network.cutOff(dataCentre, Infinity);
  const waits = () =>
    servers.alive.flatMap(({ app }) =>
      [...transactionLog(app).unfinished].map(({ nextAt }) => nextAt - app.monotonicNow()),
    );
  let [longestWait, oldestJobMs] = [0, 0];
  const watch = async (duration: number) => {
    longestWait = 0;
    for (const end = world.now + duration; world.now < end;) {
      await pass(WATCHED_EVERY_MS);
      longestWait = Math.max(longestWait, ...waits());
      const begun = cluster.scan('jobs').map((job) => (job['begun_at'] as Date).getTime());
      oldestJobMs = Math.max(oldestJobMs, ...begun.map((at) => world.now - at));
    }
  };
  const during = await meter.during(async () => {
    await watch((milliseconds - OBSERVED_MS) / 2);
    world.pick(servers.alive).process.die();
    await watch((milliseconds - OBSERVED_MS) / 2);
    await watch(OBSERVED_MS);
  });
  await world.runUntil(() => waits().length === 0 || waits().some((wait) => wait > longestWait - WATCHED_EVERY_MS));
  const waiting = waits().length;

  isOver = true;
  cluster.network.heal();
  const returned = world.now;
  const left = () => [
    ...['transaction_log', 'jobs'].filter((table) => cluster.scan(table).length > 0),
    ...(waits().length > 0 || underWay > 0 ? ['the pending retries'] : []),
  ];
  while (left().length > 0 && world.now - returned < GIVEN_UP_AFTER_MS) await pass(100);
  const finishedMs = world.now - returned;
  problems.push(...left().map((what) => `${what} is never finished`));
  await world.runUntil(() => cluster.coordinators.behind === 0);
  problems.push(...driftOf(cluster, library, world, false));
  return { before, during, oldestJobMs, waiting, finishedMs, problems };
}

/** Counts the statements that servers send, by side. */
class SentByServers {
  readonly #world: World;
  readonly #servers: Servers;
  readonly #sideOf: (dataCentre: string) => Side;
  #sent = nothing();

  constructor(world: World, cluster: Cluster, servers: Servers, sideOf: (dataCentre: string) => Side) {
    this.#world = world;
    this.#servers = servers;
    this.#sideOf = sideOf;
    cluster.onSent = ({ dataCentre }, cql) => {
      const side = this.#sent[sideOf(dataCentre)];
      side.all++;
      if (RECOVERY.test(cql)) side.recovery++;
    };
  }

  /** Returns the statements that each server of a side sends during some work. */
  async during(happening: () => Promise<void>): Promise<Record<Side, Cost>> {
    const sent = (this.#sent = nothing());
    let isOver = false;
    // A server that dies may be replaced on the other side.
    const countServers = async () => {
      while (!isOver) {
        for (const { process } of this.#servers.alive) sent[this.#sideOf(process.dataCentre)].serverSeconds++;
        await this.#world.sleep(1_000);
      }
    };
    void countServers();
    await happening();
    isOver = true;
    const costOf = (side: Side): Cost => {
      const { recovery, all, serverSeconds } = sent[side];
      return { recovery: recovery / serverSeconds, all: all / serverSeconds };
    };
    return { staying: costOf('staying'), cutOff: costOf('cutOff') };
  }
}

const nothing = () => ({
  staying: { recovery: 0, all: 0, serverSeconds: 0 },
  cutOff: { recovery: 0, all: 0, serverSeconds: 0 },
});
