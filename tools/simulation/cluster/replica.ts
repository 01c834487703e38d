import type { Mutation, PartitionKey } from './mutation.ts';
import { emptyPartition, laterTombstone, mergeRows, purged, type Partition, type StoredRow } from './rows.ts';
import type { Table } from './schema.ts';

/** What one node stores: its copy of every partition, and what it has promised and accepted of Paxos. */

/** The rows of a partition that a read asks for. */
export type Slice = (id: string, row: StoredRow) => boolean;

/** What somebody wants a partition to become: the mutation at the timestamp of the ballot by which it is decided. */
export interface Proposal {
  readonly ballot: number;
  /** `undefined` decides that nothing changes. */
  readonly mutationAt: ((timestamp: number) => Mutation) | undefined;
  /** That mutation, once it is committed somewhere. */
  mutation?: Mutation;
}

/** What a replica knows of the rounds of a partition. */
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

/** The microseconds of a ballot; its last digits name the coordinator. */
export const BALLOTS_PER_MICROSECOND = 4;

export class Replica {
  readonly #tables = new Map<string, Map<string, Partition>>();
  readonly #paxos = new Map<string, PaxosState>();

  apply({ of, deleted, updates }: Mutation): void {
    const partition = this.#partition(of);
    partition.deleted = laterTombstone(partition.deleted, deleted);
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

  /** What it has of a part of a partition now. */
  read(of: PartitionKey, slice: Slice): Partition {
    const partition = this.#tables.get(of.table.name)?.get(of.id);
    if (!partition) return emptyPartition(of.key);
    const rows = new Map<string, StoredRow>();
    for (const [id, row] of partition.rows) if (slice(id, row)) rows.set(id, row);
    return { ...partition, rows };
  }

  /** Brings what was read up to what other replicas have: no more than was read, whatever was written together with it. */
  repair(of: PartitionKey, { statics, deleted, rows }: Partition): void {
    const partition = this.#partition(of);
    if (statics) partition.statics = mergeRows(partition.statics, statics);
    partition.deleted = laterTombstone(partition.deleted, deleted);
    for (const [id, row] of rows) partition.rows.set(id, mergeRows(partition.rows.get(id), row));
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

  /** @returns whether it accepts the proposal: it has promised nothing to a later one */
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

  /** Forgets the tombstones, and what has expired, that are older than gc_grace. */
  purge(tables: Iterable<Table>, now: number): void {
    for (const table of tables) {
      const before = now - table.gcGrace * 1_000;
      for (const partition of this.#tables.get(table.name)?.values() ?? []) {
        const { deleted } = partition;
        partition.statics = partition.statics && purged(partition.statics, before, deleted);
        for (const [id, row] of partition.rows) {
          const left = purged(row, before, deleted);
          if (left) partition.rows.set(id, left);
          else partition.rows.delete(id);
        }
        if (deleted && deleted.at <= before) partition.deleted = undefined;
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
