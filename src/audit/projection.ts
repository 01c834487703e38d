import { isTombstone, type Version } from '../aggregates/aggregate.ts';
import type { ListedRows, RingScan, Written } from '../cassandra/ring.ts';
import { hasUnknownFields } from '../cassandra/unknown-fields.ts';
import type { AppContext } from '../context/context.ts';
import type { NodeId } from '../graphql/ids.ts';
import { jobsOf } from '../jobs/operations.ts';
import { auditedTable, type Audit, type AuditedTable, type Suspect } from './audit.ts';

/**
 * The audit of an aggregate whose lists are projected from its states. Forwards, every row that
 * follows from a state must be in its list with the values of the state. Backwards, every row of a
 * list must follow from its state.
 *
 * A repair raises the version of the state above those of the wrong rows and projects the state
 * again, then deletes surplus rows of the list with that version. It goes the same way as every
 * change, so a concurrent change wins by its version.
 */

/** A state with its key. */
export interface Found<Key, State> {
  readonly key: Key;
  readonly state: State;
}

/**
 * A source of truth. `About` is the other data that its lists show, such as the titles of books.
 */
export interface Truth<Key, State extends Version, Row extends object, About> {
  /** The operators' name for it: `readings`. */
  readonly kind: string;
  readonly table: string;
  /** The columns of its partition key. */
  readonly partition: readonly (keyof Row & string)[];
  /**
   * Its rows have their states, null for other rows of the table; or none has one, and the states
   * are found by their keys.
   */
  readonly ring: RingScan<Row & { readonly state?: State | null }>;
  readonly keyOf: (row: Row) => Key;
  /** Returns a key as the condition of a SELECT. */
  readonly nameOf: (key: Key) => string;
  /** Reads the existing states of some keys from a majority of replicas. */
  readonly find: (app: AppContext, keys: readonly Key[]) => Promise<Found<Key, State>[]>;
  /** Reads a state serially, as conditional writes left it. */
  readonly read: (app: AppContext, key: Key) => Promise<State | undefined>;
  readonly about: (app: AppContext, found: readonly Found<Key, State>[]) => Promise<About>;
  /** Returns the subjects whose unfinished jobs still have to bring the lists up to date. */
  readonly behind: (key: Key, state: State | undefined) => readonly NodeId[];
  /** Projects a state with a version above this one, and returns that version. */
  readonly repair: (app: AppContext, key: Key, above: number) => Promise<Pick<State, 'version'>>;
}

/** A row that is missing, differs from its state, or does not follow from it. */
interface Wrong {
  /** The write timestamp of the stored row, 0 if there is none. */
  readonly written: number;
  readonly isTooMany: boolean;
  /** Deletes the stored row, with the version of the state. */
  readonly remove: (app: AppContext, version: number) => Promise<void>;
  /** Called when the row is right again. */
  readonly afterRepair: (app: AppContext) => Promise<void>;
}

/** Returns the wrong rows of one state in one list. */
type WrongOf<State, About> = (app: AppContext, state: State | undefined, about: About) => Promise<Wrong[]>;

/** A list that is projected from a source of truth, with any type of rows. */
export interface ProjectedList<Key, State, About> {
  readonly table: string;
  /** Returns the states with missing or different rows, each with a function that looks again. */
  readonly lacking: (
    app: AppContext,
    found: readonly Found<Key, State>[],
    about: About,
  ) => Promise<(Found<Key, State> & { readonly wrong: WrongOf<State, About> })[]>;
  /**
   * Returns the backwards audit, which finds and judges the states of rows; unset if the rows do
   * not tell their states.
   */
  readonly backwards?: (judge: JudgeRows<Key, State, About>) => AuditedTable;
}

/** Returns the suspects among rows with the keys of their states. */
type JudgeRows<Key, State, About> = (
  app: AppContext,
  rows: readonly {
    readonly key: Key;
    /** Returns whether the row follows from its state. */
    readonly isRight: (state: State | undefined, about: About) => boolean;
    readonly wrong: WrongOf<State, About>;
    /**
     * Further subjects, besides those of its state, whose unfinished jobs may still change the row.
     */
    readonly behind: readonly NodeId[];
  }[],
) => Promise<Suspect[]>;

/**
 * Declares a list for audits.
 * @param of `rowsOf`: returns the rows that follow from a state; `keyOf`: the key of the state that
 *   a row belongs to; `readerOf`: the reader of a row, for states that no longer tell once they are
 *   erased: the job that erases the state deletes the row some pages later; `afterRepair`: does
 *   what follows from a repair of the row, such as counting it
 */
export function projectedList<Key, State extends Version, About, Row extends object>(of: {
  readonly rows: ListedRows<Row>;
  readonly rowsOf: (key: Key, state: State, about: About) => readonly Row[];
  readonly keyOf?: (row: Row) => Key;
  readonly readerOf?: (row: Row) => string;
  readonly afterRepair?: (app: AppContext, key: Key, row: Row) => Promise<void>;
}): ProjectedList<Key, State, About> {
  const { rows, rowsOf, keyOf, readerOf } = of;
  const expected = (key: Key, state: State | undefined, about: About) =>
    state && !isTombstone(state) ? rowsOf(key, state, about) : [];
  const byName = <R extends Row>(all: readonly R[]) => new Map(all.map((row) => [rows.nameOf(row), row]));

  const wrongOf =
    (key: Key, suspect: Row | undefined): WrongOf<State, About> =>
    async ({ cassandra }, state, about) => {
      const right = byName(expected(key, state, about));
      const wanted = new Map([...(suspect ? byName([suspect]) : []), ...right]);
      const there = byName<Written<Row>>(await rows.find(cassandra, [...wanted.values()]));
      return [...wanted].flatMap(([name, row]) => {
        const [is, should] = [there.get(name), right.get(name)];
        if (is && should ? rows.isSame(is, should) : !is && !should) return [];
        const written = Number(is?.written ?? 0);
        return [
          {
            written,
            isTooMany: !should,
            remove: (app, version) => rows.remove(app.cassandra, is ?? row, version),
            afterRepair: async (app) => of.afterRepair?.(app, key, row),
          },
        ];
      });
    };

  return {
    table: rows.table,
    lacking: async ({ cassandra }, found, about) => {
      const should = found.map((each) => ({ ...each, rows: expected(each.key, each.state, about) }));
      const wanted = should.flatMap((each) => each.rows);
      const there = byName<Row>(await rows.find(cassandra, wanted));
      const isThere = (row: Row) => {
        const is = there.get(rows.nameOf(row));
        return is !== undefined && rows.isSame(is, row);
      };
      return should
        .filter((each) => !each.rows.every(isThere))
        .map(({ key, state }) => ({ key, state, wrong: wrongOf(key, undefined) }));
    },
    ...(keyOf && {
      backwards: (judge: JudgeRows<Key, State, About>) =>
        auditedTable<Row, Row>(rows.table, {
          key: rows.partition,
          ring: rows.ring,
          suspects: (app, scanned) =>
            judge(
              app,
              scanned.filter(rows.isRow).map((row) => {
                const key = keyOf(row);
                const isRight = (state: State | undefined, about: About) => {
                  const right = byName(expected(key, state, about)).get(rows.nameOf(row));
                  return right !== undefined && rows.isSame(row, right);
                };
                const behind = readerOf ? [{ type: 'User', key: readerOf(row) } as const] : [];
                return { key, isRight, wrong: wrongOf(key, row), behind };
              }),
            ),
        }),
    }),
  };
}

/** Creates the audit of a source of truth and of the lists projected from it. */
export function projectionAudit<Key, State extends Version, Row extends object, About>(
  truth: Truth<Key, State, Row, About>,
  lists: readonly ProjectedList<Key, State, About>[],
): Audit {
  const { kind, nameOf, keyOf } = truth;
  const forwards = auditedTable<Row, Row & { readonly state?: State | null }>(truth.table, {
    key: truth.partition,
    ring: truth.ring,
    suspects: async (app, scanned) => {
      const known = scanned.flatMap((row) => (row.state ? [{ key: keyOf(row), state: row.state }] : []));
      const unknown = scanned.filter(({ state }) => state === undefined).map(keyOf);
      const found = [...known, ...(unknown.length > 0 ? await truth.find(app, unknown) : [])];
      const about = await truth.about(app, found);
      const lacking = await Promise.all(
        lists.map(async (list) =>
          (await list.lacking(app, found, about)).map(({ key, wrong }) => ({ table: list.table, key, wrong })),
        ),
      );
      return lacking
        .flat()
        .map(({ table, key, wrong }) =>
          suspectOf(app, truth, { table, key, what: `what follows from ${nameOf(key)}`, wrong, behind: [] }),
        );
    },
  });
  const judge =
    (table: string): JudgeRows<Key, State, About> =>
    async (app, rows) => {
      const keys = new Map(rows.map(({ key }) => [nameOf(key), key]));
      const found = await truth.find(app, [...keys.values()]);
      const states = new Map(found.map(({ key, state }) => [nameOf(key), state]));
      const about = await truth.about(app, found);
      return rows
        .filter(({ key, isRight }) => !isRight(states.get(nameOf(key)), about))
        .map(({ key, ...of }) => suspectOf(app, truth, { table, key, what: `a row of ${nameOf(key)}`, ...of }));
    };
  const backwards = lists.flatMap(({ table, backwards: back }) => (back ? [back(judge(table))] : []));
  return { kind, tables: [forwards, ...backwards] };
}

/** Returns the suspect for one state in one list. */
function suspectOf<Key, State extends Version, About>(
  app: AppContext,
  truth: Pick<Truth<Key, State, never, About>, 'read' | 'about' | 'behind' | 'repair'>,
  suspect: {
    readonly table: string;
    readonly key: Key;
    readonly what: string;
    readonly wrong: WrongOf<State, About>;
    readonly behind: readonly NodeId[];
  },
): Suspect {
  const { table, key, what } = suspect;
  const wrongNow = async () => {
    const state = await truth.read(app, key);
    const about = await truth.about(app, state ? [{ key, state }] : []);
    // A server of that release knows what follows from such a state.
    const isOfLaterRelease = hasUnknownFields(state);
    return { state, wrong: isOfLaterRelease ? [] : await suspect.wrong(app, state, about) };
  };
  return {
    what,
    look: async () => {
      const { state, wrong } = await wrongNow();
      if (wrong.length === 0) return [];

      const behind = [...truth.behind(key, state), ...suspect.behind];
      const jobs = await Promise.all(behind.map((subject) => jobsOf(app, subject)));
      const isChanging = (await truth.read(app, key))?.version !== state?.version;
      return isChanging || jobs.flat().length > 0 ? undefined : [table];
    },
    repair: async () => {
      const { wrong } = await wrongNow();
      const { version } = await truth.repair(app, key, Math.max(0, ...wrong.map(({ written }) => written)));

      // Wrong rows remain if they are surplus, or have cells that the projection does not
      // overwrite.
      const { wrong: left } = await wrongNow();
      await Promise.all(left.map(({ remove }) => remove(app, version)));
      if (!left.every(({ isTooMany }) => isTooMany)) await truth.repair(app, key, version);
      for (const { afterRepair } of wrong) await afterRepair(app);
    },
  };
}
