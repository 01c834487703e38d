import type { Aggregate } from '../aggregates/aggregate.ts';
import type { AggregateKind } from '../aggregates/kind.ts';
import type { Version } from '../aggregates/state.ts';
import type { ComparedList, JoinedState, ScannedRows } from '../aggregates/projected-list.ts';
import { conditionOf, cql, type Columns } from '../cassandra/columns.ts';
import { ringScan, rowsAmong, SCANNED_ROWS, type RingScan } from '../cassandra/ring.ts';
import type { StateTable } from '../cassandra/state-table.ts';
import { hasUnknownFields } from '../cassandra/unknown-fields.ts';
import type { AppContext } from '../context/context.ts';
import type { NodeId } from '../graphql/ids.ts';
import { jobsOf } from '../jobs/operations.ts';
import { auditedTable, type Audit, type AuditedTable, type Suspect } from './audit.ts';
import type { PartitionsWithin } from './scan.ts';

/**
 * The audit of an aggregate whose lists are projected from its states. Forwards, every row that
 * follows from a state must be in its list with the values of the state. Backwards, every row of a
 * list must follow from its state.
 *
 * A repair raises the version of the state above those of the wrong rows and projects the state
 * again, then deletes surplus rows of the list with that version. The writes are the same as those
 * of a change, so a concurrent change wins by its version.
 */

/** The states that an audit compares lists with. `Id` names the row of a state. */
export interface StoredStates<Id, State> {
  readonly table: string;
  /** The columns of the partition key, and those that name a row. */
  readonly partition: readonly string[];
  readonly key: readonly string[];
  /** Reads rows with their states (null for rows without one), or only their keys. */
  readonly ring: RingScan<Id & { readonly state?: State | null }>;
  /** Reads the existing states of some rows from a majority of replicas. */
  readonly find: (app: AppContext, ids: readonly Id[]) => Promise<(Id & { readonly state: State })[]>;
  /** Reads a state serially, including conditional writes in progress. */
  readonly read: (app: AppContext, id: Id) => Promise<State | undefined>;
}

/** The lists of states. `Id` names a row of a state, `Key` is the aggregate's key. */
interface Projection<Id, Key, State, Joined> {
  /** The operators' name for the states: `readings`. */
  readonly kind: string;
  readonly lists: readonly ComparedList<Key, State, Joined>[];
  readonly keyOf: (id: Id, state: State | undefined) => Key;
  /**
   * Reads the data that the rows of some states take from other tables, in the order of the states.
   * Unset if the rows follow from the states alone.
   */
  readonly join?: (app: AppContext, found: readonly Found<Key, State>[]) => Promise<readonly Joined[]>;
  /** Returns the subjects whose unfinished jobs still have to update the lists. */
  readonly behind: (key: Key, state: State | undefined) => readonly NodeId[];
  /** Projects a state with a version above this one, and returns that version. */
  readonly repair: (app: AppContext, key: Key, above: number) => Promise<Pick<Version, 'version'>>;
  /** Compares what the states of a partition share; unset if they share nothing. */
  readonly suspectOfPartition?: (app: AppContext, id: Id) => Promise<Suspect | undefined>;
  /** The reads of one reader's partitions, by the table; unset if an audit always reads all. */
  readonly within?: Readonly<Record<string, PartitionsWithin<AnyRow, AnyRow>>>;
}

type AnyRow = Readonly<Record<string, unknown>>;

type Found<Key, State> = Pick<JoinedState<Key, State, never>, 'key' | 'state'>;

/**
 * Creates the audit of an aggregate and of the lists projected from it.
 * @param of `repair`: unset if the repair is that of the aggregate; `rowsPerPage`: the number of
 *   states on a page of the scan, lower if a state has many rows
 */
export function projectionAudit<Id extends object, Key, State extends Version, Joined = undefined>(
  { table, repair }: Aggregate<Key, State> & Pick<AggregateKind<Key, State, never, Id>, 'table'>,
  of: Omit<Projection<Id, Key, State, Joined>, 'repair'> &
    Partial<Pick<Projection<Id, Key, State, Joined>, 'repair'>> & { readonly rowsPerPage?: number },
): Audit {
  return auditOfStates(storedStates(table, of.rowsPerPage), { repair, ...of });
}

/** Creates the audit of states and of the lists that follow from them. */
export function auditOfStates<Id extends object, Key, State extends Version, Joined>(
  states: StoredStates<Id, State>,
  of: Projection<Id, Key, State, Joined>,
): Audit {
  const { kind, lists, keyOf } = of;
  const idIn = (row: object) =>
    Object.fromEntries(states.key.map((column) => [column, row[column as keyof typeof row]])) as Id;
  const nameOf = (id: Id) => conditionOf(id, states.key);
  const joined = async (app: AppContext, found: readonly (Id & { readonly state: State })[]) => {
    const all = found.map((row) => ({ id: idIn(row), key: keyOf(row, row.state), state: row.state }));
    const data = await of.join?.(app, all);
    return all.map((each, index) => ({ ...each, joined: data?.[index] as Joined }));
  };

  const forwards = auditedTable<Partial<Id>, Id & { readonly state?: State | null }>(states.table, {
    key: states.partition as (keyof Id & string)[],
    ring: states.ring,
    within: of.within?.[states.table] as never,
    suspectOfPartition: of.suspectOfPartition as never,
    suspects: async (app, scanned) => {
      const known = scanned.flatMap((row) => (row.state ? [{ ...row, state: row.state }] : []));
      const unknown = scanned.filter(({ state }) => state === undefined);
      const found = [...known, ...(unknown.length > 0 ? await states.find(app, unknown) : [])];
      const all = await joined(app, found);
      const lacking = lists.map(async (list) => (await list.lacking(app, all)).map(({ id }) => ({ list, id })));
      return (await Promise.all(lacking))
        .flat()
        .map(({ list, id }) => suspectOf(app, { list, id, what: `what follows from ${nameOf(id)}` }));
    },
  });

  const backwards = (list: ComparedList<Key, State, Joined>, rows: ScannedRows<Key, State, Joined>): AuditedTable =>
    auditedTable<AnyRow, AnyRow>(list.table, {
      key: rows.partition,
      ring: rows.ring,
      within: of.within?.[list.table],
      suspects: async (app, scanned) => {
        const listed = scanned.filter(rows.isRow).map((row) => ({ row, id: idIn(row) }));
        const ids = new Map(listed.map(({ id }) => [nameOf(id), id]));
        const all = await joined(app, await states.find(app, [...ids.values()]));
        const byName = new Map(all.map((each) => [nameOf(each.id), each]));
        return listed
          .filter(({ row, id }) => !rows.isRight(row, byName.get(nameOf(id))))
          .map(({ row, id }) => suspectOf(app, { list, id, row, what: `a row of ${nameOf(id)}` }));
      },
    });

  /** Returns the suspect for one state in one list, and for a scanned row there. */
  function suspectOf(
    app: AppContext,
    suspect: { list: ComparedList<Key, State, Joined>; id: Id; row?: object; what: string },
  ): Suspect {
    const { list, id, row, what } = suspect;
    const wrongNow = async () => {
      const state = await states.read(app, id);
      const [found] = state ? await joined(app, [{ ...id, state }]) : [];
      // A server of that release knows what follows from such a state.
      const isOfLaterRelease = hasUnknownFields(state);
      return { state, wrong: isOfLaterRelease ? [] : await list.wrong(app, found, row) };
    };
    const reader = row && list.scanned?.readerOf(row);
    return {
      what,
      look: async () => {
        const { state, wrong } = await wrongNow();
        if (wrong.length === 0) return [];

        const behind = of.behind(keyOf(id, state), state);
        const subjects = reader === undefined ? behind : [...behind, { type: 'User', key: reader } as const];
        const jobs = await Promise.all(subjects.map((subject) => jobsOf(app, subject)));
        const isChanging = (await states.read(app, id))?.version !== state?.version;
        return isChanging || jobs.flat().length > 0 ? undefined : [list.table];
      },
      repair: async () => {
        const { state, wrong } = await wrongNow();
        const key = keyOf(id, state);
        const { version } = await of.repair(app, key, Math.max(0, ...wrong.map(({ written }) => written)));

        // Wrong rows remain if they are surplus, or have cells that the projection does not
        // overwrite.
        const { wrong: left } = await wrongNow();
        await Promise.all(left.map(({ remove }) => remove(app, version)));
        if (!left.every(({ isTooMany }) => isTooMany)) await of.repair(app, key, version);
        for (const { afterRepair } of wrong) await afterRepair(app);
      },
    };
  }

  const tables = lists.flatMap((list) => {
    const { scanned } = list;
    // Only a row that contains the whole key of a state can be compared with it.
    return scanned && states.key.every((column) => scanned.columns.includes(column)) ? [backwards(list, scanned)] : [];
  });
  return { kind, tables: [forwards, ...tables] };
}

/** Declares the reads of a table of states. */
function storedStates<Id extends object, State>(
  { name, partition, key, at, state, read }: StateTable<Id, State>,
  rowsPerPage = SCANNED_ROWS,
): StoredStates<Id, State> {
  const place: Columns = Object.fromEntries(Object.keys(at).map((column) => [column, cql.text]));
  const clustering = Object.fromEntries(Object.entries(key).filter(([column]) => !(column in partition)));
  // One statement reads several states of a partition, or the states of several partitions that
  // have one each.
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
