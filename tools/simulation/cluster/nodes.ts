import type { World } from '../world.ts';
import { Replica } from './replica.ts';

/**
 * The nodes of a cluster and the network between them: which nodes can reach each other at which
 * times, and the delays.
 */

/**
 * The layout of a cluster, and the consistency levels of its servers. Each node has a replica of
 * everything.
 */
export interface Mode {
  readonly name: string;
  /** The data centre of each node. */
  readonly dataCentres: readonly string[];
  /**
   * True if plain reads and writes, and commits, wait only for a majority of the local data centre.
   */
  readonly isLocal: boolean;
  /** The same for Paxos: LOCAL_SERIAL. */
  readonly isSeriallyLocal: boolean;
}

/** Every mode that the start accepts: `whyUnsafe` in `src/cassandra/topology.ts`. */
export const MODES: readonly Mode[] = [
  {
    name: 'one data centre, LOCAL_QUORUM, LOCAL_SERIAL',
    dataCentres: ['a', 'a', 'a'],
    isLocal: true,
    isSeriallyLocal: true,
  },
  {
    name: 'one data centre, LOCAL_QUORUM, SERIAL',
    dataCentres: ['a', 'a', 'a'],
    isLocal: true,
    isSeriallyLocal: false,
  },
  {
    name: 'two data centres of 2 + 1, QUORUM, SERIAL',
    dataCentres: ['a', 'a', 'b'],
    isLocal: false,
    isSeriallyLocal: false,
  },
  {
    name: 'three data centres of 1 + 1 + 1, QUORUM, SERIAL',
    dataCentres: ['a', 'b', 'c'],
    isLocal: false,
    isSeriallyLocal: false,
  },
];

/**
 * Returns the mode of a round. Consecutive seeds use all modes in turns, because a few rounds with
 * random modes may leave one out.
 */
export function modeOf(seed: number): Mode {
  const mode = MODES[seed % MODES.length];
  if (!mode) throw new Error(`${seed} is not a seed: it must be a whole number of at least 0`);
  return mode;
}

/** A mode that the start refuses. */
export const REFUSED_MODE: Mode = {
  name: 'two data centres of 2 + 1, LOCAL_QUORUM, SERIAL',
  dataCentres: ['a', 'a', 'b'],
  isLocal: true,
  isSeriallyLocal: false,
};

/** The faults between nodes, as probabilities. */
export interface NodeFaults {
  /** A message is lost. */
  readonly dropped: number;
  /** The message of a commit is lost. */
  readonly uncommitted: number;
  /** The probability per second that a node or a data centre is cut off. */
  readonly cut: number;
  /** The probability per second that a node pauses. */
  readonly stuck: number;
}

/** The maximum deviation of the clocks of nodes, in milliseconds. */
const CLOCK_OFF_MAX = 500;

export class Node {
  readonly replica = new Replica();
  readonly index: number;
  readonly dataCentre: string;
  readonly #world: World;
  /** The deviation of the node's clock, in milliseconds. */
  readonly #clockOff: number;
  /** The moment until which the node is unreachable. */
  downUntil = 0;
  /** The moment until which the node handles nothing. */
  stuckUntil = 0;
  #lastBallot = 0;

  constructor(world: World, index: number, dataCentre: string) {
    this.#world = world;
    this.index = index;
    this.dataCentre = dataCentre;
    this.#clockOff = Math.round((world.random() * 2 - 1) * CLOCK_OFF_MAX);
  }

  /** The time by the node's own clock, in milliseconds. */
  get time(): number {
    return this.#world.now + this.#clockOff;
  }

  /** Returns the time by the node's own clock, in microseconds, each time later than before. */
  nextMicroseconds(after: number): number {
    this.#lastBallot = Math.max(Math.floor(this.time * 1_000), this.#lastBallot + 1, after + 1);
    return this.#lastBallot;
  }
}

/** The time that a coordinator waits. */
const TIMEOUT_MS = 2_000;

/** The result of asking nodes. */
export interface Answers<Answer> {
  readonly answers: readonly Answer[];
  /** True if some answers did not arrive in time. */
  readonly isTimeout: boolean;
}

export class Network {
  readonly nodes: readonly Node[];
  readonly #world: World;
  /** The moments until which data centres are cut off from the others. */
  readonly #cutUntil = new Map<string, number>();
  faults: NodeFaults = { dropped: 0, uncommitted: 0, cut: 0, stuck: 0 };

  constructor(world: World, { dataCentres }: Mode) {
    this.#world = world;
    this.nodes = dataCentres.map((dataCentre, index) => new Node(world, index, dataCentre));
  }

  /** Causes random faults. It is called every second. */
  makeTrouble(): void {
    const world = this.#world;
    const { now } = world;
    const until = () => now + world.random() * (world.chance(0.2) ? 60_000 : 8_000);
    // Two nodes that are down at once stop everything, so that happens rarely.
    const mayFall = this.nodes.every(({ downUntil }) => downUntil <= now) || world.chance(0.05);
    if (mayFall && world.chance(this.faults.cut)) world.pick(this.nodes).downUntil = until();
    if (mayFall && world.chance(this.faults.cut)) this.#cutUntil.set(world.pick(this.nodes).dataCentre, until());
    if (world.chance(this.faults.stuck)) world.pick(this.nodes).stuckUntil = now + world.random() * 4_000;
  }

  /** Cuts a data centre off from the others for some time. */
  cutOff(dataCentre: string, milliseconds: number): void {
    this.#cutUntil.set(dataCentre, this.#world.now + milliseconds);
  }

  heal(): void {
    this.#cutUntil.clear();
    for (const node of this.nodes) [node.downUntil, node.stuckUntil] = [0, 0];
  }

  isUp = (node: Node): boolean => node.downUntil <= this.#world.now;

  isReached(from: Node, to: Node): boolean {
    if (from === to) return true;
    if (!this.isUp(from) || !this.isUp(to)) return false;
    return from.dataCentre === to.dataCentre || (!this.#isCut(from.dataCentre) && !this.#isCut(to.dataCentre));
  }

  /**
   * Sends a message to some nodes.
   * @param isEnough decides from the answers so far
   * @param missed called with every node that does not get the message in time; it gets it later or
   * never
   * @param dropped probability that the message to another node is lost
   * @returns the answers until there were enough, or no more can arrive; nodes still receive the
   * message
   */
  ask<Answer>(
    from: Node,
    to: readonly Node[],
    isEnough: (answers: readonly Answer[]) => boolean,
    handle: (node: Node) => Answer,
    missed: (node: Node) => void = () => undefined,
    dropped = this.faults.dropped,
  ): Promise<Answers<Answer>> {
    const world = this.#world;
    const deadline = world.now + TIMEOUT_MS;
    return new Promise((resolve) => {
      const answers: Answer[] = [];
      let [open, isMissing] = [to.length, false];
      const settled = () => {
        if (isEnough(answers)) resolve({ answers, isTimeout: false });
        else if (--open > 0) return;
        else if (!isMissing) resolve({ answers, isTimeout: false });
        else
          world.after(Math.max(0, deadline - world.now), () => {
            resolve({ answers, isTimeout: true });
          });
      };
      const miss = (node: Node) => {
        missed(node);
        isMissing = true;
        settled();
      };
      const arrive = (node: Node) => {
        const rest = node.stuckUntil - world.now;
        if (!this.isReached(from, node)) miss(node);
        else if (rest <= 0) {
          answers.push(handle(node));
          settled();
        } else if (world.now + rest <= deadline)
          world.after(rest + world.random(), () => {
            arrive(node);
          });
        else {
          miss(node);
          // A node also handles a message whose answer is no longer awaited, unless the message is
          // too old.
          if (world.chance(0.5)) world.after(rest + world.random(), () => void handle(node));
        }
      };
      for (const node of to) {
        if (node !== from && world.chance(dropped))
          world.after(0, () => {
            miss(node);
          });
        else
          world.after(this.#delay(from, node), () => {
            arrive(node);
          });
      }
    });
  }

  /** Returns a delay: mostly short, sometimes long. */
  #delay(from: Node, to: Node): number {
    const world = this.#world;
    if (from === to) return world.random() * 0.2;
    return world.random() * (world.chance(0.01) ? 200 : from.dataCentre === to.dataCentre ? 1 : 8);
  }

  #isCut = (dataCentre: string) => (this.#cutUntil.get(dataCentre) ?? 0) > this.#world.now;
}

/** Returns the smallest majority. */
export const majorityOf = (count: number) => Math.floor(count / 2) + 1;
