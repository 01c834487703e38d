import { errors, types } from 'cassandra-driver';
import type { Cassandra } from '../../src/cassandra/statement.ts';
import { isConditional, type Paging, type Query, type Result, type Store } from './store.ts';
import type { World } from './world.ts';

/** How often what goes wrong, as probabilities of one statement. */
export interface Faults {
  /** The answer does not come; the write lands now, later, or never. */
  readonly lost: number;
  /** Nothing is tried. */
  readonly refused: number;
  /** The process that gets the answer dies of it. */
  readonly crash: number;
  /** The process that gets the answer is stopped for some seconds. */
  readonly pause: number;
}
export const NO_FAULTS: Faults = { lost: 0, refused: 0, crash: 0, pause: 0 };

/** A server process: what it waits for never comes once it is dead, and later while it is stopped. */
export class Process {
  readonly #world: World;
  isAlive = true;
  #stoppedUntil = 0;
  /** How far its clock is off, in milliseconds. */
  readonly #clockOff: number;

  constructor(world: World) {
    this.#world = world;
    this.#clockOff = Math.round((world.random() - 0.5) * 4_000);
  }

  clock = () => new Date(this.#world.now + this.#clockOff);

  /** @param isDying whether it dies soon after it goes on */
  stop(milliseconds: number, isDying: boolean): void {
    this.#stoppedUntil = this.#world.now + milliseconds;
    if (!isDying) return;
    this.#world.after(milliseconds + this.#world.random() * 10, () => {
      this.isAlive = false;
    });
  }

  /** Lets the process go on, if it can. */
  deliver(goOn: () => void): void {
    if (!this.isAlive) return;
    const rest = this.#stoppedUntil - this.#world.now;
    if (rest > 0) {
      this.#world.after(rest + this.#world.random(), () => {
        this.deliver(goOn);
      });
    } else goOn();
  }
}

interface Options extends Paging {
  readonly consistency?: types.consistencies;
}

const DRIVER_TIMEOUT_MS = 6_000;
/** Most statements look for work, and losing one of those does nothing: the answers to writes are lost more often. */
const LOST_WRITES = 5;

/**
 * The cluster as a process's driver sees it: a linearizable store, behind a network that is slow and loses answers.
 *
 * A conditional write whose answer was lost is settled, done or not, by the next Paxos round in its partition at the
 * latest; a plain write may land at any time.
 */
export class Cluster {
  faults: Faults = NO_FAULTS;
  readonly #world: World;
  readonly #store: Store;
  /** Conditional writes in progress that nobody waits for any more, by partition. */
  readonly #inProgress = new Map<string, { settle: (lands: boolean) => void }[]>();

  constructor(world: World, store: Store) {
    this.#world = world;
    this.#store = store;
  }

  /** The connection of a process. */
  connect(process: Process): Cassandra {
    const client = {
      execute: (cql: string, values: Record<string, unknown>, options: Options) =>
        this.#send(process, [{ cql, values }], options),
      batch: (queries: { query: string; params: Record<string, unknown> }[], options: Options) =>
        this.#send(
          process,
          queries.map(({ query, params }) => ({ cql: query, values: params })),
          options,
        ),
    } as unknown as Cassandra['client'];
    return {
      client,
      serialConsistency: types.consistencies.serial,
      backOff: (msMax) =>
        new Promise((resolve) => {
          this.#world.after(msMax * this.#world.random(), () => {
            process.deliver(resolve);
          });
        }),
    };
  }

  #send(process: Process, queries: readonly Query[], options: Options): Promise<types.ResultSet> {
    const world = this.#world;
    return new Promise((resolve, reject) => {
      const fail = (after: number, error: Error) => {
        world.after(after, () => {
          this.#arrive(process, queries, () => {
            reject(error);
          });
        });
      };
      if (world.chance(this.faults.refused)) {
        fail(
          world.random() * 5,
          new errors.ResponseError(types.responseErrorCodes.unavailableException, 'unavailable'),
        );
      } else if (world.chance(this.faults.lost * (isRead(queries) ? 1 : LOST_WRITES))) {
        this.#lose(queries);
        fail(
          world.chance(0.5) ? DRIVER_TIMEOUT_MS : world.random() * 50,
          new errors.OperationTimedOutError('no answer'),
        );
      } else {
        world.after(this.#delay(), () => {
          const result = this.#execute(queries, options);
          world.after(this.#delay(), () => {
            this.#arrive(process, queries, () => {
              resolve(resultOf(result));
            });
          });
        });
      }
    });
  }

  /** Mostly quick, now and then slow. */
  #delay(): number {
    return this.#world.random() * (this.#world.chance(0.02) ? 200 : 2);
  }

  #arrive(process: Process, queries: readonly Query[], goOn: () => void): void {
    if (!process.isAlive) return;
    // The worst moment for a pause: recovery gives the transaction up before anything is decided.
    const isNoted = queries[0]?.cql.startsWith('INSERT INTO transaction_log') ?? false;
    if (this.#world.chance(this.faults.crash)) process.isAlive = false;
    else if (this.#world.chance(this.faults.pause * (isNoted ? 20 : 1)))
      process.stop(this.#world.random() * 12_000, this.#world.chance(0.5));
    process.deliver(goOn);
  }

  #execute(queries: readonly Query[], { consistency, ...paging }: Options): Result {
    const isPaxos = isConditional(queries) || consistency === types.consistencies.serial;
    if (isPaxos && queries[0]) {
      const partition = this.#store.partitionOf(queries[0]);
      const settle = this.#inProgress.get(partition) ?? [];
      this.#inProgress.delete(partition);
      for (const write of settle) write.settle(this.#world.chance(0.5));
    }
    return this.#store.execute(queries, this.#world.now, paging);
  }

  #lose(queries: readonly Query[]): void {
    const world = this.#world;
    const [first] = queries;
    if (!first || isRead(queries) || world.chance(0.25)) return;
    let isPending = true;
    const settle = (lands: boolean) => {
      if (isPending && lands) this.#store.execute(queries, world.now);
      isPending = false;
    };
    const latest = world.chance(0.5) ? this.#delay() : world.random() * 20_000;
    world.after(latest, () => {
      settle(true);
    });
    if (isConditional(queries)) {
      const partition = this.#store.partitionOf(first);
      this.#inProgress.set(partition, [...(this.#inProgress.get(partition) ?? []), { settle }]);
    }
  }
}

const isRead = (queries: readonly Query[]) => queries[0]?.cql.startsWith('SELECT') ?? false;

function resultOf({ rows, pageState }: Result): types.ResultSet {
  return {
    rows,
    pageState,
    rowLength: rows.length,
    first: () => rows[0] ?? null,
    wasApplied: () => rows[0]?.['[applied]'] !== false,
  } as unknown as types.ResultSet;
}
