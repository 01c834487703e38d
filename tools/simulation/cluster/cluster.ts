import { errors, types } from 'cassandra-driver';
import type { Cassandra } from '../../../src/cassandra/statement.ts';
import type { Process } from '../process.ts';
import { errorOf, type World } from '../world.ts';
import { Coordinators, unavailable } from './coordinator.ts';
import { parse, type Parsed } from './cql.ts';
import { mutationsOf, partitionOf, partitionsOf, rowIdOf, type Mutation, type Query } from './mutation.ts';
import { Network, type Mode, type Node, type NodeFaults } from './nodes.ts';
import { Paxos, type Decision } from './paxos.ts';
import { Replica } from './replica.ts';
import { emptyPartition, mergePartitions, visibleRows, type Partition } from './rows.ts';
import { readTables, type Table } from './schema.ts';
import {
  isWalked,
  Pages,
  resultOf,
  sliceOf,
  standsInTheWay,
  tokenOf,
  type Paging,
  type Read,
  type Result,
} from './select.ts';
import { bytesFrom, type Row, type Values } from './values.ts';

/** The faults between a server and the cluster, as probabilities for each statement. */
export interface Faults extends NodeFaults {
  /** The statement or its answer is lost. */
  readonly lost: number;
  /** The statement is refused, and nothing is tried. */
  readonly refused: number;
  /** The process that gets the answer dies at that moment. */
  readonly crash: number;
  /** The process that gets the answer is stopped for some seconds, or for minutes. */
  readonly pause: number;
}
export const NO_FAULTS: Faults = {
  lost: 0,
  refused: 0,
  crash: 0,
  pause: 0,
  dropped: 0,
  uncommitted: 0,
  cut: 0,
  stuck: 0,
};

interface Options extends Paging {
  readonly consistency?: types.consistencies;
}

interface Text {
  readonly cql: string;
  readonly values: Values;
}

/** Faults with which a test makes the cluster misbehave, to test that the checks detect them. */
export interface Sabotage {
  /** Returns replacements for the values of a statement. */
  readonly valuesOf?: (cql: string, values: Values) => Values;
  /** Reads repair replicas even if the table has no read repair. */
  readonly areReadsRepairing?: true;
  /** A write is answered and not sent. The other statements of its batch are sent. */
  readonly isSwallowed?: (cql: string, values: Values) => boolean;
}

const DRIVER_TIMEOUT_MS = 4_000;
/**
 * The factor by which answers to writes are lost more often. Most statements only search for work,
 * and losing one of those has no effect.
 */
const LOST_WRITES = 5;
const NODE_TIME = 'SELECT toTimestamp(now()) AS now FROM system.local';

const tables = await readTables();

function tableOf(name: string): Table {
  const table = tables.get(name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
}

const parsedTexts = new Map<string, Parsed>();

function parsedOf(cql: string): Parsed {
  let parsed = parsedTexts.get(cql);
  if (!parsed) parsedTexts.set(cql, (parsed = parse(cql, tables)));
  return parsed;
}

/**
 * A cluster, with the interface of the driver for processes and direct access to the nodes for
 * checks.
 */
export class Cluster {
  readonly network: Network;
  readonly coordinators: Coordinators;
  /** Called for every statement that a process sends, for a batch with its first one. */
  onSent: (process: Process, cql: string) => void = () => undefined;
  readonly #world: World;
  readonly #paxos: Paxos;
  readonly #sabotage: Sabotage;
  readonly #pages = new Pages();
  readonly #seeded: Mutation[] = [];
  readonly #decided: Mutation[] = [];
  #faults: Faults = NO_FAULTS;

  constructor(world: World, mode: Mode, sabotage: Sabotage = {}) {
    this.#world = world;
    this.#sabotage = sabotage;
    this.network = new Network(world, mode);
    this.coordinators = new Coordinators(world, this.network, mode, sabotage.areReadsRepairing ?? false);
    this.#paxos = new Paxos(world, this.network, this.coordinators, mode, (mutation) => {
      this.#decided.push(mutation);
    });
  }

  get faults(): Faults {
    return this.#faults;
  }

  set faults(faults: Faults) {
    this.#faults = faults;
    this.network.faults = faults;
  }

  /** Returns the connection of a process. */
  connect(process: Process): Cassandra {
    const client = {
      execute: (cql: string, values: Values = {}, options: Options = {}) =>
        this.#send(process, [{ cql, values }], options),
      batch: (queries: { query: string; params: Values }[], options: Options) =>
        this.#send(
          process,
          queries.map(({ query, params }) => ({ cql: query, values: params })),
          options,
        ),
      metadata: { getUdt: () => Promise.resolve({}) },
      _getEncoder: () => ({ encode: bytesFrom }),
    } as unknown as Cassandra['client'];
    return {
      client,
      serialConsistency: types.consistencies.serial,
      atOnce: (sending) => sending(),
      backOff: (msMax) => process.sleep(msMax * this.#world.random()),
    };
  }

  /**
   * Writes a row to all nodes before the faults begin. Its time is an hour ago, which is in the
   * past for every node's clock.
   */
  seed(cql: string, values: Values): void {
    const { now } = this.#world;
    for (const mutation of mutationsOf([{ parsed: parsedOf(cql), values }], (now - 3_600_000) * 1_000, now)) {
      this.#seeded.push(mutation);
      for (const { replica } of this.network.nodes) replica.apply(mutation);
    }
  }

  /**
   * Returns every state that conditional writes have decided in a table, with the key of its row,
   * in the order of their versions.
   */
  decidedIn(tableName: string): Row[] {
    return this.#decided
      .filter(({ of }) => of.table.name === tableName)
      .flatMap(statesIn)
      .toSorted((one, other) => versionIn(one) - versionIn(other));
  }

  /**
   * Returns the seeded rows of a partition, and its rows after each version of its state.
   * @param key the columns of its key
   */
  versionsOf(tableName: string, key: Row): Row[][] {
    const table = tableOf(tableName);
    const { id } = partitionOf(table, Object.values(key));
    const isOf = ({ of }: Mutation) => of.id === id;
    const replica = new Replica();
    const rowsNow = () =>
      visibleRows(table, replica.partitionsOf(table).get(id) ?? emptyPartition(key), this.#world.now);

    for (const mutation of this.#seeded.filter(isOf)) replica.apply(mutation);
    // A decision may have been committed again by other processes.
    const decided = new Map<number, Mutation>();
    for (const mutation of this.#decided.filter(isOf))
      for (const row of statesIn(mutation)) decided.set(versionIn(row), mutation);
    const seeded = rowsNow();
    const later = [...decided].toSorted(([one], [other]) => one - other);
    return [
      seeded,
      ...later.map(([, mutation]) => {
        replica.apply(mutation);
        return rowsNow();
      }),
    ];
  }

  /**
   * Returns every row of a table, merged from all nodes, for checks.
   * @param without a node to leave out
   */
  scan(tableName: string, without?: Node): Row[] {
    const table = tableOf(tableName);
    const found = new Map<string, Partition[]>();
    for (const { replica } of this.network.nodes.filter((node) => node !== without))
      for (const [id, partition] of replica.partitionsOf(table)) found.set(id, [...(found.get(id) ?? []), partition]);
    return [...found.values()].flatMap((all) => visibleRows(table, mergePartitions(all), this.#world.now));
  }

  /** Makes every node purge expired data and old tombstones. */
  compact(): void {
    for (const { replica } of this.network.nodes) replica.purge(tables.values(), this.#world.now);
  }

  #send(process: Process, given: readonly Text[], options: Options): Promise<types.ResultSet> {
    const world = this.#world;
    const texts = given
      .map(({ cql, values }) => ({ cql, values: this.#sabotage.valuesOf?.(cql, values) ?? values }))
      .filter(({ cql, values }) => !this.#sabotage.isSwallowed?.(cql, values));
    const isRead = texts[0]?.cql.trimStart().startsWith('SELECT') ?? false;
    const timestamp = process.nextTimestamp();
    this.onSent(process, texts[0]?.cql ?? '');
    return new Promise((resolve, reject) => {
      const arrive = (after: number, proceed: () => void) => {
        world.after(after, () => {
          this.#arrive(process, texts, proceed);
        });
      };
      const fail = (after: number, error: Error) => {
        arrive(after, () => {
          reject(error);
        });
      };
      if (texts.length === 0) {
        arrive(0, () => {
          resolve(resultSetOf({ rows: [], pageState: null }));
        });
        return;
      }
      if (world.chance(this.#faults.refused)) {
        fail(world.random() * 5, unavailable());
        return;
      }
      const isLost = world.chance(this.#faults.lost * (isRead ? 1 : LOST_WRITES));
      if (isLost) fail(DRIVER_TIMEOUT_MS, new errors.OperationTimedOutError('no answer'));
      if (isLost && world.chance(0.25)) return;

      world.after(this.#delay(), () => {
        const coordinator = this.#coordinatorFor(process, texts, options);
        if (!coordinator) {
          fail(0, new errors.NoHostAvailableError({}));
          return;
        }
        this.#execute(coordinator, texts, timestamp, options).then(
          (result) => {
            if (!isLost)
              arrive(this.#delay(), () => {
                resolve(resultSetOf(result));
              });
          },
          (error: unknown) => {
            if (!isLost) fail(this.#delay(), errorOf(error));
          },
        );
      });
    });
  }

  /** Returns a delay: mostly short, sometimes long. */
  #delay(): number {
    return this.#world.random() * (this.#world.chance(0.02) ? 200 : 1);
  }

  #arrive(process: Process, texts: readonly Text[], proceed: () => void): void {
    if (!process.isAlive) return;
    // This is the worst moment for a pause: recovery abandons the transaction before anything is
    // decided.
    const isNoted = texts[0]?.cql.startsWith('INSERT INTO transaction_log') ?? false;
    if (this.#world.chance(this.#faults.crash)) process.die();
    else if (this.#world.chance(this.#faults.pause * (isNoted ? 20 : 1)))
      process.stop(this.#world.random() * (this.#world.chance(0.04) ? 120_000 : 12_000), this.#world.chance(0.5));
    process.deliver(proceed);
  }

  /**
   * Picks a coordinator of the process's data centre. For conditional writes and serial reads it is
   * always the same node for a partition, if that node is up.
   */
  #coordinatorFor(process: Process, texts: readonly Text[], { consistency }: Options): Node | undefined {
    const near = this.network.nodes.filter((node) => node.dataCentre === process.dataCentre && this.network.isUp(node));
    if (near.length === 0) return undefined;
    const [first] = texts;
    if (!first || first.cql === NODE_TIME || (!isConditional(texts) && consistency === undefined))
      return this.#world.pick(near);
    const [of] = partitionsOf({ parsed: parsedOf(first.cql), values: first.values });
    return near[Number(BigInt.asUintN(16, tokenOf(of?.id ?? ''))) % near.length];
  }

  #execute(
    coordinator: Node,
    texts: readonly Text[],
    timestamp: number,
    { consistency, ...paging }: Options,
  ): Promise<Result> {
    if (texts[0]?.cql === NODE_TIME)
      return Promise.resolve({ rows: [{ now: new Date(coordinator.time) }], pageState: null });
    const queries = texts.map(({ cql, values }): Query => ({ parsed: parsedOf(cql), values }));
    const [query] = queries;
    if (!query) throw new Error('nothing is asked');
    if (query.parsed.verb !== 'SELECT')
      return isConditional(texts)
        ? this.#decide(coordinator, queries)
        : this.coordinators
            .write(coordinator, mutationsOf(queries, timestamp, this.#world.now))
            .then(() => ({ rows: [], pageState: null }));
    return this.#read(coordinator, query, paging, consistency !== undefined);
  }

  async #read(coordinator: Node, query: Query, paging: Paging, isSerial: boolean): Promise<Result> {
    const resultFrom = (reads: readonly Read[]) => resultOf(query, reads, this.#world.now, paging, this.#pages);
    if (query.parsed.isWalk)
      return resultFrom(this.coordinators.walk(coordinator, query.parsed.table, (id) => isWalked(query, id)));

    const slice = sliceOf(query);
    const reads = partitionsOf(query).map(async (of): Promise<Read> => {
      if (!isSerial) return { of, found: await this.coordinators.read(coordinator, of, slice) };
      const seen = (found: Partition): Decision<Partition> => ({ answer: found });
      return { of, found: await this.#paxos.run(coordinator, of, slice, seen, true) };
    });
    return resultFrom(await Promise.all(reads));
  }

  /** Executes a conditional write, or a batch with some, on one partition. */
  #decide(coordinator: Node, queries: readonly Query[]): Promise<Result> {
    const [of, ...others] = [...new Map(queries.flatMap(partitionsOf).map((each) => [each.id, each])).values()];
    if (!of || others.length > 0) throw new Error('a conditional write must be to one partition');
    const conditional = queries
      .filter(({ parsed }) => parsed.condition !== undefined)
      .map((query) => ({ query, id: rowIdOf(query) }));

    const decide = (found: Partition): Decision<Result> => {
      const { now } = this.#world;
      for (const { query, id } of conditional) {
        const current = standsInTheWay(query, id, found, now);
        if (current) return { answer: { rows: [{ '[applied]': false, ...current }], pageState: null } };
      }
      const [first] = mutationsOf(queries, 0, now);
      if (!first) throw new Error('nothing is written');
      return {
        answer: { rows: [{ '[applied]': true }], pageState: null },
        mutationAt: (timestamp) => mutationsOf(queries, timestamp, now)[0] ?? first,
      };
    };
    const isConcerned = (rowId: string) => conditional.some(({ id }) => id === rowId);
    return this.#paxos.run(coordinator, of, isConcerned, decide, false);
  }
}

/** Returns the states that a conditional write sets, with the keys of their rows. */
const statesIn = ({ of, updates }: Mutation): Row[] =>
  updates.flatMap(({ row }) => {
    const state = row.cells.get('state')?.value;
    return state ? [{ ...of.key, ...row.key, state }] : [];
  });

const versionIn = ({ state }: Row): number => (state as { version: number }).version;

const isConditional = (texts: readonly Text[]) => texts.some(({ cql }) => parsedOf(cql).condition !== undefined);

function resultSetOf({ rows, pageState }: Result): types.ResultSet {
  return {
    rows,
    pageState,
    rowLength: rows.length,
    first: () => rows[0] ?? null,
    wasApplied: () => rows[0]?.['[applied]'] !== false,
  } as unknown as types.ResultSet;
}
