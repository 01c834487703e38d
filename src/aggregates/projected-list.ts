import { conditionOf, pickColumns } from '../cassandra/columns.ts';
import { listedRows, type KeyIn, type ListTable, type RingScan, type RowIn, type Written } from '../cassandra/ring.ts';
import { batch, bind, type Bound, type Statement } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { isTombstone, type Version } from './state.ts';

/**
 * A list that is projected from the states of an aggregate. It is declared once, by a function from
 * a state to its rows. The writes of a change and of bulk loading, the audit in both directions and
 * its repair are derived from that function.
 */

/** A state with its key, and the data that its rows take from other tables, such as titles. */
export interface JoinedState<Key, State, Joined> {
  readonly key: Key;
  readonly state: State;
  readonly joined: Joined;
}

/** A row that is missing, differs from its state, or is surplus. */
export interface WrongRow {
  /** The write timestamp of the stored row, 0 if there is none. */
  readonly written: number;
  readonly isTooMany: boolean;
  /** Deletes the stored row, with the version of the state. */
  readonly remove: (app: AppContext, version: number) => Promise<void>;
  /** Called when the row is correct again. */
  readonly afterRepair: (app: AppContext) => Promise<void>;
}

/** The rows of a list for the scan of an audit. */
export interface ScannedRows<Key, State, Joined> {
  /** The columns of the partition key, and those of the whole row. */
  readonly partition: readonly string[];
  readonly columns: readonly string[];
  readonly ring: RingScan<object>;
  /** Returns false for the static columns of a partition that has no rows. */
  readonly isRow: (row: object) => boolean;
  /**
   * Returns whether a row follows from its state.
   * @param of `undefined` if there is no state
   */
  readonly isRight: (row: object, of: JoinedState<Key, State, Joined> | undefined) => boolean;
  /** Returns the reader of a row; `undefined` if the state always contains the reader. */
  readonly readerOf: (row: object) => string | undefined;
}

/** A list that an audit compares with the states that its rows follow from. */
export interface ComparedList<Key, State, Joined> {
  readonly table: string;
  /** Returns the states with missing or different rows. */
  readonly lacking: <Of extends JoinedState<Key, State, Joined>>(
    app: AppContext,
    found: readonly Of[],
  ) => Promise<Of[]>;
  /**
   * Returns the wrong rows of one state.
   * @param of `undefined` if there is no state
   * @param suspect a scanned row, which is compared as well
   */
  readonly wrong: (
    app: AppContext,
    of: JoinedState<Key, State, Joined> | undefined,
    suspect?: object,
  ) => Promise<WrongRow[]>;
  /**
   * Unset if no row of this list can be surplus, or if the scan of another list finds surplus rows.
   */
  readonly scanned?: ScannedRows<Key, State, Joined>;
}

/** A list whose rows are written with the versions of the states. */
export interface ProjectedList<Key, State, Joined> extends ComparedList<Key, State, Joined> {
  /** Returns the writes that update the list from former states to this one. */
  readonly writes: (key: Key, state: State, joined: Joined) => Bound[];
}

/** The declaration of a list. `Joined` is the data that its rows take from other tables. */
interface Declared<Key, State, Joined, Row> {
  /** Returns the rows that follow from a state. */
  readonly rowsOf: (key: Key, state: State, joined: Joined) => readonly Row[];
  /**
   * Returns the reader of a row. An erased state no longer contains the reader, and the erasing job
   * deletes the row some pages later.
   */
  readonly readerOf?: (row: Row) => string;
  /**
   * Returns whether the joined data is known. If it is not, only the keys of the rows are compared.
   * Unset if it is always known.
   */
  readonly isJoined?: (joined: Joined) => boolean;
  /**
   * Returns whether a stored row may stand for the one with the same key that a state asks for.
   * Unset if only an equal row may.
   */
  readonly isAsWanted?: (stored: Row, wanted: Row) => boolean;
  /** Does what a repair of the row requires, such as counting it. */
  readonly afterRepair?: (app: AppContext, row: Row) => Promise<void>;
  /**
   * Set if the rows of a state have the same clustering key in many partitions, and the partition
   * key is one column.
   */
  readonly isWide?: true;
}

/** The values of a versioned write. */
type Stamped<Row> = Row & { readonly version: bigint };

/** A list that `versionedList()` declares. */
export interface VersionedTable extends ListTable {
  readonly insert: Statement<unknown, never>;
  readonly delete: Statement<unknown, never>;
}

/** Declares a list and the writes to it. */
export function projectedList<Key, State extends Version, Joined, Table extends VersionedTable>(
  table: Table,
  of: Declared<Key, State, Joined, RowIn<Table>> & {
    /**
     * Returns the keys that rows of former states may have. Rows that no longer follow from the
     * state are deleted.
     */
    readonly formerKeysOf?: (key: Key, state: State) => readonly KeyIn<Table>[];
    /** Returns the insert of a row, if it differs from the insert of the table. */
    readonly insertOf?: (row: Stamped<RowIn<Table>>, joined: Joined) => Bound;
  },
): ProjectedList<Key, State, Joined> {
  const { formerKeysOf = () => [], insertOf = (row) => bind(table.insert, row) } = of;
  const keyColumns = { ...table.partition, ...table.order };
  const columns = { ...keyColumns, ...table.columns };
  const deletionOf = (row: object, version: bigint) => bind(table.delete, { ...pickColumns(row, keyColumns), version });
  const { expected, compared } = comparison(table, of, deletionOf);

  return {
    ...compared,
    writes: (key, state, joined) => {
      const version = BigInt(state.version);
      const next = expected({ key, state, joined });
      const nameOf = (row: object) => conditionOf(row, Object.keys(keyColumns));
      const former = new Map(formerKeysOf(key, state).map((each) => [nameOf(each), each]));
      if (former.size > 0) for (const row of next) former.delete(nameOf(row));
      return [
        ...next.map((row) => insertOf({ ...(pickColumns(row, columns) as typeof row), version }, joined)),
        ...[...former.values()].map((row) => deletionOf(row, version)),
      ];
    },
  };
}

/** Declares a list that other code writes. No row of it is ever surplus. */
export const requiredRows = <Key, State extends Version, Joined, Table extends ListTable>(
  table: Table,
  of: Declared<Key, State, Joined, RowIn<Table>>,
): ComparedList<Key, State, Joined> => comparison(table, of).compared;

/** @param deletionOf returns the delete of a row; unset if no row is ever surplus */
function comparison<Key, State extends Version, Joined, Table extends ListTable>(
  table: Table,
  of: Declared<Key, State, Joined, RowIn<Table>>,
  deletionOf?: (row: object, version: bigint) => Bound,
) {
  type Row = RowIn<Table>;
  type Of = JoinedState<Key, State, Joined>;
  const { rowsOf, readerOf, isJoined = () => true, afterRepair, isWide = false } = of;
  const rows = listedRows(table, isWide);
  const { isAsWanted = rows.isSame } = of;
  const expected = (one: Of | undefined): readonly Row[] =>
    one && !isTombstone(one.state) ? rowsOf(one.key, one.state, one.joined) : [];
  const byName = <R extends Row>(all: readonly R[]) => new Map(all.map((row) => [rows.nameOf(row), row]));
  const isSame = (is: Row | undefined, should: Row | undefined, one: Of | undefined) =>
    is && should && one ? !isJoined(one.joined) || isAsWanted(is, should) : !is && !should;

  const compared: ComparedList<Key, State, Joined> = {
    table: rows.table,
    lacking: async ({ cassandra }, found) => {
      const should = found.map((each) => ({ each, next: expected(each) }));
      const there = byName(
        await rows.find(
          cassandra,
          should.flatMap(({ next }) => next),
        ),
      );
      return should
        .filter(({ each, next }) => !next.every((row) => isSame(there.get(rows.nameOf(row)), row, each)))
        .map(({ each }) => each);
    },
    wrong: async ({ cassandra }, one, suspect) => {
      const right = byName(expected(one));
      const wanted = new Map([...(suspect ? byName([suspect as Row]) : []), ...right]);
      const there = byName<Written<Row>>(await rows.find(cassandra, [...wanted.values()]));
      return [...wanted].flatMap(([name, row]) => {
        const [is, should] = [there.get(name), right.get(name)];
        if (isSame(is, should, one)) return [];
        return {
          written: Number(is?.written ?? 0),
          isTooMany: !should,
          remove: async (app, version) => deletionOf && batch(app.cassandra, [deletionOf(row, BigInt(version))]),
          afterRepair: async (app) => afterRepair?.(app, row),
        };
      });
    },
    // Audits pass only rows that `ring` has read.
    scanned: {
      partition: rows.partition,
      columns: rows.columns,
      ring: rows.ring,
      isRow: (row) => rows.isRow(row as Row),
      isRight: (row, one) => isSame(row as Row, byName(expected(one)).get(rows.nameOf(row)), one),
      readerOf: (row) => readerOf?.(row as Row),
    },
  };
  return { expected, compared };
}
