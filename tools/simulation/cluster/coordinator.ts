import { errors, types } from 'cassandra-driver';
import type { World } from '../world.ts';
import type { Mutation, PartitionKey } from './mutation.ts';
import { majorityOf, type Mode, type Network, type Node } from './nodes.ts';
import type { Slice } from './replica.ts';
import { emptyPartition, isSame, mergePartitions, type Partition } from './rows.ts';

const { responseErrorCodes: codes } = types;

/** Nothing was tried. */
export const unavailable = () => new errors.ResponseError(codes.unavailableException, 'unavailable');
/** A write of which nobody knows where it is. */
export const writeTimeout = () => new errors.ResponseError(codes.writeTimeout, 'write timeout');
export const readTimeout = () => new errors.ResponseError(codes.readTimeout, 'read timeout');

/** What a node missed it gets within so long, once it is reached again; until then somebody tries every now and then. */
const HINT_MS = 2_000;
const SLOW_HINT_MS = 20_000;

/**
 * What a node does for a client with plain reads and writes.
 *
 * A write goes to all replicas and is answered when a majority of those that count has it. Whoever missed it gets it later: by a hint,
 * or, where that was lost, with the next repair; both are a delivery after a while. Until then only a read that finds a
 * difference brings it there, and only what it has read: a mutation that a replica otherwise has or has not is there in part then.
 *
 * A read asks just as many replicas as count, each at its own moment. Where they differ they are all asked again, each at its own
 * moment, and what they say is put together.
 */
export class Coordinators {
  readonly #world: World;
  readonly #network: Network;
  readonly #mode: Mode;
  /** Reads repair also where the table says that they do not. */
  readonly #isRepairing: boolean;
  /** How many writes are still to reach some replica. */
  behind = 0;

  constructor(world: World, network: Network, mode: Mode, isRepairing: boolean) {
    this.#world = world;
    this.#network = network;
    this.#mode = mode;
    this.#isRepairing = isRepairing;
  }

  /** The replicas that count for a plain statement, and how many of them are waited for. */
  countingFor(from: Node, isLocal = this.#mode.isLocal): { readonly nodes: readonly Node[]; readonly needed: number } {
    const nodes = isLocal
      ? this.#network.nodes.filter(({ dataCentre }) => dataCentre === from.dataCentre)
      : this.#network.nodes;
    return { nodes, needed: majorityOf(nodes.length) };
  }

  /** @throws where it can be known that too few are there; not at once after they have gone */
  mustReach(from: Node, { nodes, needed }: { readonly nodes: readonly Node[]; readonly needed: number }): void {
    const reached = nodes.filter((node) => this.#network.isReached(from, node));
    if (reached.length < needed && this.#world.chance(0.8)) throw unavailable();
  }

  /** One row after the other is read of one partition, each replica at its own moment. */
  async read(from: Node, of: PartitionKey, slice: Slice, isLocal?: boolean): Promise<Partition> {
    const { asked, needed } = this.#choose(from, isLocal);
    // Nobody has anything of it: what many messages would come to. Whoever adds up windows reads more of such than of others.
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

  /** Every partition of a table that a walk comes to. All at one moment: a walk promises nothing else. */
  walk(from: Node, table: PartitionKey['table'], isWalked: (id: string) => boolean) {
    const { asked } = this.#choose(from);
    const found = new Map<string, Partition[]>();
    for (const { replica } of asked)
      for (const [id, partition] of replica.partitionsOf(table))
        if (isWalked(id)) found.set(id, [...(found.get(id) ?? []), partition]);
    return [...found].map(([id, all]) => {
      const merged = mergePartitions(all);
      return { of: { table, id, key: merged.key }, found: merged };
    });
  }

  /** Writes what is answered when enough replicas have all of it. Each partition by itself: some may have it and others not. */
  async write(from: Node, mutations: readonly Mutation[]): Promise<void> {
    const counting = this.countingFor(from);
    this.mustReach(from, counting);
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
   * Has all replicas do something, sooner or later.
   * @param dropped how often the message is lost
   * @returns whether enough of those that count have done it in time
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
    this.mustReach(from, counting);
    const { nodes, needed } = counting;
    const reached = nodes.filter((node) => this.#network.isReached(from, node));
    const all = [...(reached.length < needed ? nodes : reached)];
    while (all.length > needed) all.splice(world.below(all.length), 1);
    return { asked: all, needed };
  }
}
