import { errors } from 'cassandra-driver';
import type { World } from '../world.ts';
import { readTimeout, writeTimeout, type Coordinators } from './coordinator.ts';
import type { Mutation, PartitionKey } from './mutation.ts';
import type { Mode, Network, Node } from './nodes.ts';
import { BALLOTS_PER_MICROSECOND, type Promised, type Proposal, type Slice } from './replica.ts';
import type { Partition } from './rows.ts';

/**
 * Conditional writes and serial reads of one partition, by Paxos, message by message, like
 * `StorageProxy.doPaxos` of Cassandra 5 with `paxos_variant` v1, the default. The differences of v2
 * save round trips; it gives the same guarantees about the results.
 *
 * - Prepare: a majority promises a ballot. A mutation that some of them accepted and did not commit
 * is proposed again and committed. A mutation that some of them committed is committed by the
 * others. After either case, the round begins again with another ballot.
 * - Read: like a plain read of a majority. The condition is decided on the result.
 * - Propose: a majority accepts. If nothing is to change, it accepts an empty mutation, so that no
 *   earlier proposal can follow.
 * - Commit: the mutation is sent to all replicas, and the commit waits for a majority of those that
 *   plain statements use. The mutation has the ballot's timestamp. So before the next ballot of a
 *   partition is proposed, a majority has the earlier commit.
 *
 * A ballot that meets a later one waits for a random time and begins again. The outcome is unknown
 * if some but no majority accepted a proposal, or if a majority does not confirm a commit in time.
 */

/**
 * The time for which rounds are repeated. After that time the outcome is unknown, although nothing
 * was done.
 */
const CONTENTION_MS = 1_800;
const BACK_OFF_MS = 100;

/** The decision of a conditional write, made from the rows that it read. */
export interface Decision<Answer> {
  readonly answer: Answer;
  /** Makes the mutation to write; unset if nothing is written. */
  readonly mutationAt?: (timestamp: number) => Mutation;
}

/** The outcome is unknown: CAS_WRITE_UNKNOWN of protocol 5. */
const casWriteUnknown = () => new errors.ResponseError(0x1700, 'CAS write unknown');

export class Paxos {
  readonly #world: World;
  readonly #network: Network;
  readonly #coordinators: Coordinators;
  readonly #mode: Mode;
  readonly #decided: (mutation: Mutation) => void;

  /** @param decided called with every mutation that is decided, perhaps several times */
  constructor(
    world: World,
    network: Network,
    coordinators: Coordinators,
    mode: Mode,
    decided: (mutation: Mutation) => void,
  ) {
    this.#world = world;
    this.#network = network;
    this.#coordinators = coordinators;
    this.#mode = mode;
    this.#decided = decided;
  }

  /**
   * @param slice the rows to read
   * @param decide makes the decision from them
   */
  async run<Answer>(
    from: Node,
    of: PartitionKey,
    slice: Slice,
    decide: (found: Partition) => Decision<Answer>,
    isRead: boolean,
  ): Promise<Answer> {
    const deadline = this.#world.now + CONTENTION_MS;
    const participants = this.#coordinators.countingFor(from, this.#mode.isSeriallyLocal);
    this.#coordinators.requireReachable(from, participants);
    const timeout = () => (isRead ? readTimeout() : writeTimeout());

    let after = 0;
    for (;;) {
      if (this.#world.now > deadline) throw timeout();
      const ballot = from.nextMicroseconds(after) * BALLOTS_PER_MICROSECOND + from.index;
      after = Math.floor(ballot / BALLOTS_PER_MICROSECOND);
      const begun = await this.#begin(from, of, ballot, participants);
      if (begun === 'TIMEOUT') throw timeout();
      if (begun !== 'READY') {
        after = Math.max(after, Math.floor(begun / BALLOTS_PER_MICROSECOND));
        continue;
      }

      const found = await this.#coordinators.read(from, of, slice, this.#mode.isSeriallyLocal);
      const { answer, mutationAt } = decide(found);
      const proposal = { ballot, mutationAt };
      const proposed = await this.#propose(from, of, proposal, participants);
      if (proposed === 'UNKNOWN') throw mutationAt ? casWriteUnknown() : timeout();
      if (proposed === 'PREEMPTED') {
        await this.#backOff();
        continue;
      }
      if (mutationAt && !(await this.#commit(from, of, proposal))) throw writeTimeout();
      return answer;
    }
  }

  /** @returns a ballot after which to begin again, if it is not ready to propose */
  async #begin(
    from: Node,
    of: PartitionKey,
    ballot: number,
    participants: { readonly nodes: readonly Node[]; readonly needed: number },
  ): Promise<'READY' | 'TIMEOUT' | number> {
    const { nodes, needed } = participants;
    const { answers, isTimeout } = await this.#network.ask<Promised & { node: Node }>(
      from,
      nodes,
      (each) => each.length >= needed,
      (node) => ({ ...node.replica.prepare(of, ballot), node }),
    );
    if (isTimeout) return 'TIMEOUT';
    if (answers.some(({ isPromised }) => !isPromised)) {
      await this.#backOff();
      return Math.max(...answers.map((each) => each.ballot));
    }

    const committed = latest(answers.map((each) => each.committed));
    const accepted = latest(answers.map((each) => each.accepted));
    if (accepted?.mutationAt && accepted.ballot > (committed?.ballot ?? 0)) {
      // The writes of a repeated mutation get the timestamp of this ballot.
      const again = { ballot, mutationAt: accepted.mutationAt };
      const proposed = await this.#propose(from, of, again, participants);
      if (proposed !== 'ACCEPTED') await this.#backOff();
      else if (!(await this.#commit(from, of, again))) return 'TIMEOUT';
      return ballot;
    }

    const lacking = answers.filter((each) => (each.committed?.ballot ?? 0) < (committed?.ballot ?? 0));
    if (!committed || lacking.length === 0) return 'READY';
    const caughtUp = await this.#network.ask(
      from,
      lacking.map(({ node }) => node),
      (each) => each.length === lacking.length,
      ({ replica }) => {
        replica.commit(of, committed);
      },
    );
    return caughtUp.isTimeout ? 'TIMEOUT' : ballot;
  }

  async #propose(
    from: Node,
    of: PartitionKey,
    proposal: Proposal,
    { nodes, needed }: { readonly nodes: readonly Node[]; readonly needed: number },
  ): Promise<'ACCEPTED' | 'PREEMPTED' | 'UNKNOWN'> {
    const acceptedBy = (answers: readonly boolean[]) => answers.filter((isAccepted) => isAccepted).length;
    const { answers, isTimeout } = await this.#network.ask<boolean>(
      from,
      nodes,
      (each) => acceptedBy(each) >= needed,
      ({ replica }) => replica.accept(of, proposal),
    );
    if (acceptedBy(answers) >= needed) return 'ACCEPTED';
    return acceptedBy(answers) === 0 && !isTimeout ? 'PREEMPTED' : 'UNKNOWN';
  }

  #commit(from: Node, of: PartitionKey, proposal: Proposal): Promise<boolean> {
    const mutation = proposal.mutationAt?.(Math.floor(proposal.ballot / BALLOTS_PER_MICROSECOND));
    if (!mutation) throw new Error('nothing is to be committed');
    this.#decided(mutation);
    const commit = ({ replica }: Node) => {
      replica.commit(of, proposal);
    };
    const { dropped, uncommitted } = this.#network.faults;
    return this.#coordinators.spread(
      from,
      this.#coordinators.countingFor(from),
      commit,
      Math.max(dropped, uncommitted),
    );
  }

  #backOff = () => this.#world.sleep(this.#world.random() * BACK_OFF_MS);
}

const latest = (all: readonly (Proposal | undefined)[]): Proposal | undefined =>
  all.reduce((one, other) => (!one || (other && other.ballot > one.ballot) ? other : one), undefined);
