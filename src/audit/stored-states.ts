import { cql, type Columns } from '../cassandra/columns.ts';
import { ringScan, rowsAmong, SCANNED_ROWS, type RingScan } from '../cassandra/ring.ts';
import type { StateTable } from '../cassandra/state-table.ts';
import type { AppContext } from '../context/context.ts';

/** The states that an audit compares lists with. `Id` names the row of a state. */
export interface StoredStates<Id, State> {
  readonly table: string;
  /** The columns of the partition key, and those that name a row. */
  readonly partition: readonly string[];
  readonly key: readonly string[];
  /** Reads rows with their states, null for other rows of the table; or without. */
  readonly ring: RingScan<Id & { readonly state?: State | null }>;
  /** Reads the existing states of some rows from a majority of replicas. */
  readonly find: (app: AppContext, ids: readonly Id[]) => Promise<(Id & { readonly state: State })[]>;
  /** Reads a state serially, as conditional writes left it. */
  readonly read: (app: AppContext, id: Id) => Promise<State | undefined>;
}

/** Declares the reads of a table of states. */
export function storedStates<Id extends object, State>(
  { name, partition, key, at, state, read }: StateTable<Id, State>,
  rowsPerPage = SCANNED_ROWS,
): StoredStates<Id, State> {
  const place: Columns = Object.fromEntries(Object.keys(at).map((column) => [column, cql.text]));
  const clustering = Object.fromEntries(Object.entries(key).filter(([column]) => !(column in partition)));
  // One statement reads the states of a partition, or those of partitions that have one each.
  const [together, apart] = Object.keys(clustering).length > 0 ? [partition, clustering] : [place, key];
  const find = rowsAmong<Id & { readonly state: State }>(name, together, apart, { ...key, state });
  return {
    table: name,
    partition: Object.keys(partition),
    key: Object.keys(key),
    ring: ringScan(name, partition, { ...key, state: state.nullable() }, rowsPerPage) as never,
    find: ({ cassandra }, ids) =>
      find(
        cassandra,
        ids.map((id) => ({ ...id, ...at })),
      ),
    read: ({ cassandra }, id) => read(cassandra, id),
  };
}
