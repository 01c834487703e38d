import type { Mutation, PartitionKey } from './mutation.ts';
import {
  emptyPartition,
  laterTombstone,
  mergeRanges,
  mergeRows,
  purged,
  latestTombstone,
  tombstoneOver,
  type Partition,
  type StoredRow,
} from './rows.ts';
import type { Table } from './schema.ts';

/**
 * The storage of one node: its copy of every partition, and its promises and acceptances of Paxos.
 */

/** The rows of a partition that a read selects. */
export type Slice = (id: string, row: StoredRow) => boolean;

/** A proposal for a partition: the mutation at the timestamp of the ballot that decides it. */
export interface Proposal {
  readonly ballot: number;
  /** Makes the mutation; `undefined` decides that nothing changes. */
  readonly mutationAt: ((timestamp: number) => Mutation) | undefined;
  /** The mutation, once it is committed somewhere. */
  mutation?: Mutation;
}

/** The Paxos state of a partition on a replica. */
interface PaxosState {
  promised: number;
  accepted: Proposal | undefined;
  committed: Proposal | undefined;
}

/** The answer to a prepare. */
export interface Promised {
  readonly isPromised: boolean;
  /** The highest ballot that was promised so far. */
  readonly ballot: number;
  readonly accepted: Proposal | undefined;
  readonly committed: Proposal | undefined;
}

/** The last digits of a ballot name the coordinator. The others are its microseconds. */
export const BALLOTS_PER_MICROSECOND = 4;

export class Replica {
  readonly #tables = new Map<string, Map<string, Partition>>();
  readonly #paxos = new Map<string, PaxosState>();

  apply({ of, deleted, ranges, updates }: Mutation): void {
    const partition = this.#partition(of);
    partition.deleted = laterTombstone(partition.deleted, deleted);
    partition.ranges = mergeRanges(partition.ranges, ranges);
    for (const update of updates) {
      const from = update.id === undefined ? partition.statics : partition.rows.get(update.id);
      let to = update.made?.from === from ? update.made?.to : undefined;
      if (!to) update.made = { from, to: (to = mergeRows(from, update.row)) };
      if (update.id === undefined) partition.statics = to;
      else if (to !== from) partition.rows.set(update.id, to);
    }
  }

  has({ table, id }: PartitionKey): boolean {
    return this.#tables.get(table.name)?.has(id) ?? false;
  }

  /** Returns the current state of a part of a partition. */
  read(of: PartitionKey, slice: Slice): Partition {
    const partition = this.#tables.get(of.table.name)?.get(of.id);
    if (!partition) return emptyPartition(of.key);
    const rows = new Map<string, StoredRow>();
    for (const [id, row] of partition.rows) if (slice(id, row)) rows.set(id, row);
    return { ...partition, rows };
  }

  /**
   * Merges the rows that were read from other replicas. Other rows are unchanged, even those of the
   * same mutation.
   */
  repair(of: PartitionKey, found: Partition): void {
    const partition = this.#partition(of);
    if (found.statics) partition.statics = mergeRows(partition.statics, found.statics);
    partition.deleted = laterTombstone(partition.deleted, found.deleted);
    for (const [id, row] of found.rows) {
      // The part of a range tombstone over these rows is included.
      const repaired = found.ranges.size > 0 ? { ...row, deleted: latestTombstone(found, row) } : row;
      partition.rows.set(id, mergeRows(partition.rows.get(id), repaired));
    }
  }

  partitionsOf(table: Table): ReadonlyMap<string, Partition> {
    return this.#tables.get(table.name) ?? new Map<string, Partition>();
  }

  prepare(of: PartitionKey, ballot: number): Promised {
    const state = this.#paxosOf(of);
    const isPromised = ballot > state.promised;
    if (isPromised) state.promised = ballot;
    return { ...state, isPromised, ballot: state.promised };
  }

  /** @returns whether the proposal is accepted, because no later ballot was promised */
  accept(of: PartitionKey, proposal: Proposal): boolean {
    const state = this.#paxosOf(of);
    if (proposal.ballot < state.promised) return false;
    state.promised = proposal.ballot;
    state.accepted = proposal;
    return true;
  }

  commit(of: PartitionKey, proposal: Proposal): void {
    const state = this.#paxosOf(of);
    if (!state.committed || state.committed.ballot < proposal.ballot) state.committed = proposal;
    if (state.accepted && state.accepted.ballot <= proposal.ballot) state.accepted = undefined;
    if (!proposal.mutationAt) return;
    proposal.mutation ??= proposal.mutationAt(Math.floor(proposal.ballot / BALLOTS_PER_MICROSECOND));
    this.apply(proposal.mutation);
  }

  /** Purges tombstones and expired cells that are older than gc_grace. */
  purge(tables: Iterable<Table>, now: number): void {
    for (const table of tables) {
      const before = now - table.gcGrace * 1_000;
      for (const partition of this.#tables.get(table.name)?.values() ?? []) {
        const { deleted } = partition;
        partition.statics = partition.statics && purged(partition.statics, before, deleted);
        for (const [id, row] of partition.rows) {
          const left = purged(row, before, tombstoneOver(partition, row));
          if (left) partition.rows.set(id, left);
          else partition.rows.delete(id);
        }
        if (deleted && deleted.at <= before) partition.deleted = undefined;
        partition.ranges = new Map([...partition.ranges].filter(([, { at }]) => at > before));
      }
    }
  }

  #partition({ table, id, key }: PartitionKey): Partition {
    let partitions = this.#tables.get(table.name);
    if (!partitions) this.#tables.set(table.name, (partitions = new Map<string, Partition>()));
    let partition = partitions.get(id);
    if (!partition) partitions.set(id, (partition = emptyPartition(key)));
    return partition;
  }

  #paxosOf({ id }: PartitionKey): PaxosState {
    let state = this.#paxos.get(id);
    if (!state) this.#paxos.set(id, (state = { promised: 0, accepted: undefined, committed: undefined }));
    return state;
  }
}
