import { errors, types } from 'cassandra-driver';
import type { World } from '../world.ts';
import type { Mutation, PartitionKey } from './mutation.ts';
import { majorityOf, type Mode, type Network, type Node } from './nodes.ts';
import type { Slice } from './replica.ts';
import { emptyPartition, isSame, mergePartitions, type Partition } from './rows.ts';
import { tokenOf } from './select.ts';
import { compare } from './values.ts';

const { responseErrorCodes: codes } = types;

/** The error of a statement that was not tried. */
export const unavailable = () => new errors.ResponseError(codes.unavailableException, 'unavailable');
/** The error of a write that may or may not have reached replicas. */
export const writeTimeout = () => new errors.ResponseError(codes.writeTimeout, 'write timeout');
export const readTimeout = () => new errors.ResponseError(codes.readTimeout, 'read timeout');

/**
 * The time after which a node receives missed writes, once it is reachable again. Until then the
 * delivery is retried from time to time.
 */
const HINT_MS = 2_000;
const SLOW_HINT_MS = 20_000;

/**
 * The part of a node that serves a client's plain reads and writes.
 *
 * A write is sent to all replicas and is answered when a majority of the required replicas has it.
 * A replica that missed the write receives it later: by a hint or, if that was lost, with the next
 * repair. Both are a delivery after a while. Until then only a read that finds a difference repairs
 * the replica, and only the rows that it has read. Without read repair a replica has a mutation
 * completely or not at all; with it, it may have a part.
 *
 * A read queries exactly the required number of replicas, each at its own moment. If they differ,
 * all are queried again, each at its own moment, and their answers are merged.
 */
export class Coordinators {
  readonly #world: World;
  readonly #network: Network;
  readonly #mode: Mode;
  /** True if reads repair even tables without read repair. */
  readonly #isRepairing: boolean;
  /** The number of writes that have not reached every replica yet. */
  behind = 0;

  constructor(world: World, network: Network, mode: Mode, isRepairing: boolean) {
    this.#world = world;
    this.#network = network;
    this.#mode = mode;
    this.#isRepairing = isRepairing;
  }

  /** Returns the replicas that a plain statement uses, and the number of them to wait for. */
  countingFor(from: Node, isLocal = this.#mode.isLocal): { readonly nodes: readonly Node[]; readonly needed: number } {
    const nodes = isLocal
      ? this.#network.nodes.filter(({ dataCentre }) => dataCentre === from.dataCentre)
      : this.#network.nodes;
    return { nodes, needed: majorityOf(nodes.length) };
  }

  /**
   * @throws if the coordinator knows that too few replicas are up, which it learns some time after
   * they went down
   */
  requireReachable(from: Node, { nodes, needed }: { readonly nodes: readonly Node[]; readonly needed: number }): void {
    const reached = nodes.filter((node) => this.#network.isReached(from, node));
    if (reached.length < needed && this.#world.chance(0.8)) throw unavailable();
  }

  /** Reads rows of one partition one after the other, each replica at its own moment. */
  async read(from: Node, of: PartitionKey, slice: Slice, isLocal?: boolean): Promise<Partition> {
    const { asked, needed } = this.#choose(from, isLocal);
    // No replica has any of these rows, so no messages are sent. The roll-up reads such partitions
    // more often than others.
    if (asked.every(({ replica }) => !replica.has(of))) {
      await this.#world.sleep(this.#world.random());
      if (asked.every(({ replica }) => !replica.has(of))) return emptyPartition(of.key);
    }
    const ask = async () => {
      const { answers } = await this.#network.ask<Partition>(
        from,
        asked,
        (each) => each.length === needed,
        ({ replica }) => replica.read(of, slice),
      );
      if (answers.length < needed) throw readTimeout();
      return answers;
    };
    const [first, ...others] = await ask();
    if (first && others.every((other) => isSame(first, other))) return first;

    const merged = mergePartitions(await ask());
    if (of.table.isRepairedByReads || this.#isRepairing) for (const { replica } of asked) replica.repair(of, merged);
    return merged;
  }

  /**
   * Returns every partition of a table that a scan reaches, in token order, all at one moment. A
   * walk promises nothing more.
   */
  walk(from: Node, table: PartitionKey['table'], isWalked: (id: string) => boolean) {
    const { asked } = this.#choose(from);
    const found = new Map<string, Partition[]>();
    for (const { replica } of asked)
      for (const [id, partition] of replica.partitionsOf(table))
        if (isWalked(id)) found.set(id, [...(found.get(id) ?? []), partition]);
    return [...found]
      .map(([id, all]) => {
        const merged = mergePartitions(all);
        return { of: { table, id, key: merged.key }, found: merged };
      })
      .toSorted((one, other) => compare(tokenOf(one.of.id), tokenOf(other.of.id)));
  }

  /**
   * Writes mutations, and returns when enough replicas have all of them. Each partition is written
   * separately, so a replica may have one and not another.
   */
  async write(from: Node, mutations: readonly Mutation[]): Promise<void> {
    const counting = this.countingFor(from);
    this.requireReachable(from, counting);
    await Promise.all(
      mutations.map(async (mutation) => {
        const hasIt = await this.spread(from, counting, (node) => {
          node.replica.apply(mutation);
        });
        if (!hasIt) throw writeTimeout();
      }),
    );
  }

  /**
   * Makes all replicas execute an action, sooner or later.
   * @param dropped probability that the message is lost
   * @returns whether enough of the required replicas did it in time
   */
  async spread(
    from: Node,
    { nodes, needed }: { readonly nodes: readonly Node[]; readonly needed: number },
    apply: (node: Node) => void,
    dropped?: number,
  ): Promise<boolean> {
    const isEnough = (answers: readonly Node[]) => answers.filter((node) => nodes.includes(node)).length >= needed;
    const { answers } = await this.#network.ask(
      from,
      this.#network.nodes,
      isEnough,
      (node) => {
        apply(node);
        return node;
      },
      (node) => {
        this.behind++;
        this.#hint(from, node, apply);
      },
      dropped,
    );
    return isEnough(answers);
  }

  #hint(from: Node, node: Node, apply: (node: Node) => void): void {
    const world = this.#world;
    world.after(world.random() * (world.chance(0.5) ? HINT_MS : SLOW_HINT_MS), () => {
      if (!this.#network.isReached(from, node)) this.#hint(from, node, apply);
      else {
        this.behind--;
        apply(node);
      }
    });
  }

  #choose(from: Node, isLocal?: boolean) {
    const world = this.#world;
    const counting = this.countingFor(from, isLocal);
    this.requireReachable(from, counting);
    const { nodes, needed } = counting;
    const reached = nodes.filter((node) => this.#network.isReached(from, node));
    const all = [...(reached.length < needed ? nodes : reached)];
    while (all.length > needed) all.splice(world.below(all.length), 1);
    return { asked: all, needed };
  }
}
