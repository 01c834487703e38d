import { nextTick } from 'node:process';
import { errors } from 'cassandra-driver';
import { z } from 'zod';
import { auditShare } from '../../src/audit/audit.worker.ts';
import { countGenres } from '../../src/catalogue/genres.ts';
import { readChanges } from '../../src/changes/operations.ts';
import { compareClock } from '../../src/trust/trust.worker.ts';
import { everyAudit, jobHandlers, nodeTypes, transactionKinds } from '../../src/app/workers.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { CassandraError } from '../../src/cassandra/errors.ts';
import { readConfig } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context/context.ts';
import { rollUp } from '../../src/events/rollup.ts';
import { RequestError } from '../../src/graphql/errors.ts';
import { doJobs } from '../../src/jobs/jobs.worker.ts';
import { sendHeartbeat, recoverTransactions } from '../../src/transactions/recovery.worker.ts';
import { whyUntrusted } from '../../src/trust/operations.ts';
import type { Cluster } from './cluster/cluster.ts';
import { Process } from './process.ts';
import type { World } from './world.ts';

/**
 * The servers of a simulation. The product's own workers run in them; servers die and are replaced.
 */

const SERVERS = 3;
/** The limit is so low that shards constantly fill and open. */
const SHARD_ROWS_MAX = 8;

/** A server that runs, or has run. */
export interface Server {
  readonly app: AppContext;
  readonly process: Process;
}

/** The treatment of the servers in a round. */
export interface ServerHabits {
  /** True if the audit runs. It is off in most rounds, because its repairs would hide errors. */
  readonly isAudited: boolean;
  /** True if the servers count the events. */
  readonly isCounting: boolean;
  /** The maximum deviation of their clocks, in milliseconds. */
  readonly clocksOff: number;
  /**
   * The probability, a second, that a clock is set while its server runs, by up to some minutes.
   */
  readonly clockSteps: number;
}

/**
 * Rethrows every error that does not come from Cassandra: such an error is a mistake of the product
 * or of the model.
 */
export function ifUnavailable(error: unknown): void {
  // A server that is not trusted refuses.
  if (error instanceof RequestError && error.extensions['code'] === 'OVERLOADED') return;
  // The clock of a node is read without a statement of the product.
  if (error instanceof errors.DriverError) return;
  if (!(error instanceof CassandraError)) throw error;
  if (error.cause instanceof z.ZodError || error.cause instanceof TypeError) throw error;
}

/** A worker retries failures later, so only Cassandra may cause them. */
const logger = Object.assign(makeLogger('silent'), {
  error: ({ err }: { err?: unknown }) => {
    if (err !== undefined) ifUnavailable(err);
  },
});

/** The audits of tables that servers write. No server counts the events. */
export const AUDITS = everyAudit.filter(({ kind }) => kind !== 'roll-ups');

const config = readConfig({
  CASSANDRA_CONTACT_POINTS: 'simulated',
  ACCESS_TOKEN_SECRET: 'a secret of a simulation, which need not be random',
  LOGIN_ATTEMPTS_FREE: '0',
  REGISTRATIONS_PER_HOUR: '0',
  LIKE_CHANGES_PER_HOUR: '0',
  CLICK_KIB_PER_MINUTE: '0',
  REPORTS_PER_HOUR: '0',
  ACTIVITY_LOOKS_AND_CLICKS: 'on',
  LIKE_SHARD_ROWS_MAX: String(SHARD_ROWS_MAX),
  // Few likes are in a row here.
  LIKE_SHARD_ALONE_COMMITS: '1',
});

/** Makes the context of an operation in a process. */
export function contextOf(process: Process, cluster: Cluster, world: World): AppContext {
  return {
    config,
    cassandra: cluster.connect(process),
    logger,
    clock: process.clock,
    monotonicNow: process.monotonicNow,
    // A turn of Node's event loop consists of many steps here.
    atEndOfTurn: nextTick,
    randomId: () => world.uuid(),
    passwords: {
      hash: () => Promise.resolve('hash'),
      verify: (hash) => Promise.resolve(hash !== undefined),
      isOutdated: () => false,
    },
    jobHandlers,
    nodeTypes,
    newsListeners: [],
    atCrashPoint: () => undefined,
  };
}

export class Servers {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #habits: ServerHabits;
  readonly #all: Server[] = [];
  #started = 0;
  #areOff = false;

  constructor(world: World, cluster: Cluster, habits: ServerHabits) {
    this.#world = world;
    this.#cluster = cluster;
    this.#habits = habits;
  }

  get crashes(): number {
    return this.#started - SERVERS;
  }

  get alive(): readonly Server[] {
    return this.#all.filter(({ process }) => process.isAlive);
  }

  /** Starts the servers, and replaces each one that dies. */
  async keepRunning(): Promise<void> {
    const world = this.#world;
    for (;;) {
      while (!this.#areOff && this.alive.length < SERVERS) this.#start();
      for (const { process } of this.alive)
        if (world.chance(this.#habits.clockSteps))
          process.setClock((world.random() * 2 - 1) * world.pick([1_000, 300_000]));
      if (world.chance(0.05)) this.#setRight();
      await world.sleep(1_000);
    }
  }

  /** Sets all clocks right, as an operator would. */
  #setRight(): void {
    for (const { process } of this.alive)
      process.setClock((this.#world.random() * 2 - 1) * Math.min(this.#habits.clocksOff, 2_000));
  }

  /** Keeps all clocks right from now on. */
  calm(): void {
    for (const { process } of this.alive) process.setClock(0);
  }

  /** Kills all servers at once. None is started until they are turned on again. */
  turnOff(): void {
    this.#areOff = true;
    for (const { process } of this.alive) process.die();
  }

  turnOn(): void {
    this.#areOff = false;
  }

  #start(): void {
    const world = this.#world;
    const dataCentres = this.#cluster.network.nodes.map(({ dataCentre }) => dataCentre);
    const process = new Process(world, dataCentres[this.#started % dataCentres.length] ?? '');
    process.setClock((world.random() * 2 - 1) * this.#habits.clocksOff);
    const app = contextOf(process, this.#cluster, world);
    this.#all.push({ app, process });
    const work = async (periodMs: number, run: (app: AppContext) => Promise<unknown>) => {
      for (;;) {
        await run(app).catch(ifUnavailable);
        await process.sleep(periodMs * (0.9 + 0.2 * world.random()));
      }
    };
    // Runs like the same check in `startWorkers`.
    const ifTrusted = (run: (app: AppContext) => Promise<unknown>) => async () => {
      if (whyUntrusted(app) === undefined) await run(app);
    };
    void work(1_000, compareClock);
    void work(1_000, sendHeartbeat);
    void work(
      1_000,
      ifTrusted((own) => recoverTransactions(own, transactionKinds)),
    );
    void work(500, ifTrusted(readChanges));
    void work(1_000, ifTrusted(doJobs));
    void work(3_000, ifTrusted(countGenres));
    if (this.#habits.isCounting) {
      void work(
        1_000,
        ifTrusted((own) => rollUp(own).run(own)),
      );
    }
    if (this.#habits.isAudited && this.#started % 3 === 1) {
      void work(
        5_000,
        ifTrusted((own) => auditShare(own).run(own, AUDITS)),
      );
    }
    this.#started++;
  }
}
