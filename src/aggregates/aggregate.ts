import type { z } from 'zod';
import { letOthersPass } from '../cassandra/contention.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { untilKnown } from '../cassandra/until-known.ts';
import type { StateTable } from '../cassandra/state-table.ts';
import type { Bound } from '../cassandra/statement.ts';
import { dropUnknownFields, keepUnknownFields } from '../cassandra/unknown-fields.ts';
import { announce, type ChangedThing } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { transact, type Step, type TransactionKind } from '../transactions/operations.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';

/**
 * An aggregate is a row that is a source of truth. Its state changes only by compare-and-set, each
 * time on condition of the whole former state. Everything else that is stored about it is a
 * projection of its state.
 */

/** The columns that every aggregate's state has. */
export interface Version {
  /** The number of changes, from 1. */
  readonly version: number;
  /** The time of the newest change, always later than that of the one before. */
  readonly changed_at: Date;
  /** The call that made the newest change; `LOWEST_UUID` in a tombstone. */
  readonly change_id: string;
}

/** A state without its version. */
export type Content<State extends Version> = Omit<State, keyof Version>;

/**
 * Returns whether a state only says that nothing was decided. Such a row makes the condition of a
 * slow caller fail.
 */
export const isTombstone = ({ change_id }: Version): boolean => change_id === LOWEST_UUID;

const TOMBSTONE_SECONDS = 86_400;
/** The highest version that a repair starts from: far below the end of an `int`. */
const VERSION_MAX = 2 ** 30;

/**
 * Returns the time for which a row is kept, 0 for good. A tombstone is kept for a day, longer than
 * any process is merely slow.
 */
export const ttlOf = (state: Version): number => (isTombstone(state) ? TOMBSTONE_SECONDS : 0);

/** Projections by their names. They are written in parallel, and may be repeated at any time. */
export type Stage = Readonly<Record<string, () => Promise<unknown>>>;

/** The results of a stage's projections, by their names. */
type Results<Written extends Stage> = { readonly [Name in keyof Written]: Awaited<ReturnType<Written[Name]>> };

/** Writes a stage, and resolves when all of it is written. */
type WriteStage = <Written extends Stage>(stage: Written) => Promise<Results<Written>>;

/**
 * The stages in their order; a function if a later stage needs the results of an earlier one, or if
 * the caller of a change needs a result.
 */
export type Projections<Result = void> = readonly Stage[] | ((write: WriteStage) => Promise<Result>);

/** The reason for a projection, and the age of the state. */
export interface ProjectionReason {
  /**
   * `CHANGE`: the state was just decided, perhaps by a process that died. `FORMER`: the
   * projections are completed before the state is replaced. `REPAIR`: nothing was decided, and
   * the rows are written once more.
   */
  readonly occasion: 'CHANGE' | 'FORMER' | 'REPAIR';
  /**
   * A moment of this process's steady clock before which the state was not decided, in ms; unset if
   * another process may have decided it. A projection that is new since then is in no table yet,
   * which spares the read before its write.
   */
  readonly decidedSince?: number | undefined;
}

/** A kind of aggregate: its table, and the projections of its states. */
export interface AggregateKind<Key, State extends Version, Context, RowKey, Result = void> {
  /** The name of its transactions. */
  readonly name: string;
  /**
   * The model of the key: it names one row, and has what else its projections need. It is logged.
   */
  readonly key: z.ZodType<Key>;
  /** The source of truth, and the key of the row there. */
  readonly table: StateTable<RowKey, State>;
  readonly rowKey: (key: Key) => RowKey;
  /** The content of a tombstone, of which nothing is projected. */
  readonly tombstone: Content<State>;
  /**
   * Reads the owner of a row; `undefined` if their account is deleted. It is read after the
   * decision: a change or deletion of the account that does not find this state was made before
   * that.
   */
  readonly projectionContext: (app: AppContext, key: Key, state: State, reason: ProjectionReason) => Promise<Context | undefined>;
  /** Erases a row whose owner's account is deleted. It may be repeated at any time. */
  readonly erase?: (app: AppContext, key: Key) => Promise<void>;
  /**
   * Returns the things shown of a row that servers keep until a change of them is announced. None
   * are kept if it is unset.
   */
  readonly shownAs?: (key: Key) => readonly ChangedThing[];
  /** Returns the projections of a state. Newer states may be projected already by others. */
  readonly projections: (
    app: AppContext,
    key: Key,
    state: State,
    context: Context,
    reason: ProjectionReason,
  ) => Projections<Result>;
  /**
   * Returns whether a state lacks something that the projections of the former one need; then those
   * are completed first.
   */
  readonly needsFormerProjection?: (former: State, next: Content<State>) => boolean;
}

/** Something unique that is taken before a decision, and released if nothing is decided. */
export interface Precondition {
  readonly name: string;
  /**
   * @param version the version of the state to decide on, 0 for none. After a failed decision it is
   *   called again with a higher one
   * @param ensureLogged called before every attempt: a reservation without a log entry would never
   *   be released
   */
  readonly take: (version: number, ensureLogged: () => Promise<void>) => Promise<void>;
  readonly release: () => Promise<void>;
}

/**
 * Makes a decision depend on something else than its row. It is checked after the state that was
 * read and before the decision: whoever ends the condition and changes the state after that makes
 * every decision fail that followed from the former state.
 * @param check throws a {@link UserError} if the condition does not hold
 */
export const precondition = (name: string, check: () => Promise<void>): Precondition => ({
  name,
  take: check,
  release: () => Promise.resolve(),
});

/** The result of a change. */
export interface Changed<State, Result = unknown> {
  /** True if this call changed the row. */
  readonly changed: boolean;
  /** The state that it was decided on, or that stays. */
  readonly before: State | undefined;
  /** The state of the row now; `undefined` for no row. */
  readonly state: State | undefined;
  /** The result of its projections, if they have one. */
  readonly result?: Result | undefined;
}

/** The operations on one kind of aggregate. */
export interface Aggregate<Key, State extends Version, Result = unknown> {
  /**
   * The kind of its transactions: recovery completes an orphaned change, or gives it up for good.
   */
  readonly transaction: TransactionKind<Key>;
  /** Reads the state of a row, including a decision in progress. */
  readonly read: (app: AppContext, key: Key) => Promise<State | undefined>;
  /**
   * Changes a row from one state to the next and projects it, as one transaction.
   * @param expected the state that the row probably has, `undefined` for no row. It must have been
   *   read before this call: recovery fences off a slow caller by changing the row, and a later
   *   read would pass the fence
   * @param next returns the next state, `undefined` to leave the row. It is pure, and called again
   *   when another call was faster. `at` is the moment of the change: now, but later than the
   *   change before. If it throws a {@link UserError}, nothing is done
   * @param beside writes to other rows of the partition, made if the state is changed
   * @throws {CassandraError} with an unknown outcome
   */
  readonly change: (
    app: AppContext,
    key: Key,
    expected: State | undefined,
    next: (state: State | undefined, at: Date) => Content<State> | undefined,
    reservation?: Precondition,
    beside?: readonly Bound[],
  ) => Promise<Changed<State, Result>>;
  /**
   * Projects the state of a row once more, even while others change it.
   * @param above the row gets a version higher than this one, as far as versions go
   * @returns the state that was projected
   */
  readonly repair: (app: AppContext, key: Key, above?: number) => Promise<State>;
  /**
   * Changes a row without a transaction of its own, and projects nothing. It is for a job or a
   * projection, which is repeated until it succeeds.
   * @param next returns the next state, `undefined` to leave the row; called again when another
   *   call was faster
   * @param beside writes to other rows of the partition, made if the state is changed
   * @returns the state of the row now; `undefined` for no row
   */
  readonly amend: (
    app: AppContext,
    key: Key,
    next: (state: State, at: Date) => Promise<Content<State> | undefined>,
    beside?: readonly Bound[],
  ) => Promise<State | undefined>;
  /**
   * Replaces a row by a tombstone. Without one, a slow caller could decide anew after the row and
   * its log entry are gone. It may be repeated at any time.
   * @param retract takes back the projections of a state, under the version after it; called again
   *   if the row changes meanwhile
   */
  readonly forget: (app: AppContext, key: Key, retract?: (state: State) => Promise<void>) => Promise<void>;
}

/** Makes the operations on a kind of aggregate. */
export function aggregate<Key, State extends Version, Context, RowKey, Result = void>(
  kind: AggregateKind<Key, State, Context, RowKey, Result>,
): Aggregate<Key, State, Result> & Pick<AggregateKind<Key, State, Context, RowKey, Result>, 'table'> {
  const read = ({ cassandra }: AppContext, key: Key) => kind.table.read(cassandra, kind.rowKey(key));

  const project = async (
    app: AppContext,
    key: Key,
    state: State,
    step: Step,
    reason: ProjectionReason,
  ): Promise<Result | undefined> => {
    const context = await kind.projectionContext(app, key, state, reason);
    if (context === undefined) {
      await kind.erase?.(app, key);
      return undefined;
    }
    // A state that was just decided is announced already.
    if (reason.decidedSince === undefined) await announceChange(app, kind, key);

    const writeStage: WriteStage = async <Written extends Stage>(stage: Written) => {
      const written = Object.entries(stage).map(async ([name, write]) => [name, await step(name, write)] as const);
      return Object.fromEntries(await Promise.all(written)) as Results<Written>;
    };

    const projections = kind.projections(app, key, state, context, reason);
    if (typeof projections === 'function') return projections(writeStage);
    for (const stage of projections) await writeStage(stage);
    return undefined;
  };

  const projectFormer = (app: AppContext, key: Key, state: State, step: Step) =>
    project(app, key, state, (name, work) => step(`former ${name}`, work), { occasion: 'FORMER' });

  const projectFenced = async (
    app: AppContext,
    key: Key,
    step: Step,
    occasion: ProjectionReason['occasion'],
    above?: number,
  ) => {
    const state = await step('compare-and-set', () => fence(app, kind, key, above));
    await project(app, key, state, step, { occasion });
    return state;
  };

  const transaction: TransactionKind<Key> = {
    name: kind.name,
    payload: kind.key,
    recover: async (app, key, step) => void (await projectFenced(app, key, step, 'CHANGE')),
  };

  return {
    table: kind.table,
    transaction,
    read,
    change: (app, key, expected, next, reservation, beside) => {
      const now = app.clock();
      return transact(app, transaction, key, async ({ step, ensureLogged }) => {
        let isReserved = false;
        const nextOf = (state: State | undefined): State | undefined => {
          const content = next(state, momentAfter(state, now));
          return content && following(state, content, versionAfter(app, state, now));
        };
        const prepare = async (former: State | undefined, wanted: State, tries: number) => {
          if (former && kind.needsFormerProjection?.(former, wanted)) await projectFormer(app, key, former, step);
          if (tries > 1) await ensureLogged();
          if (!reservation) return;
          await step(reservation.name, () => reservation.take(former?.version ?? 0, ensureLogged));
          isReserved = true;
        };

        const decidedSince = app.monotonicNow();
        const decided = await step('compare-and-set', () =>
          decide(app, kind, key, expected, nextOf, prepare, beside),
        ).catch(async (error: unknown) => {
          if (error instanceof UserError && isReserved) await reservation?.release();
          throw error;
        });
        // An unchanged state is projected as well: the process that decided it may have died
        // before.
        const { state, changed } = decided;
        const reason = { occasion: 'CHANGE', ...(changed && { decidedSince }) } as const;
        const result = state && (await project(app, key, state, step, reason));
        return { ...decided, result };
      });
    },
    repair: (app, key, above) =>
      transact(app, transaction, key, ({ step }) => projectFenced(app, key, step, 'REPAIR', above)),
    amend: (app, key, next, beside) =>
      replaceUntilDone(
        app,
        kind,
        key,
        async (state) => {
          const now = app.clock();
          const content = await next(state, momentAfter(state, now));
          return content && following(state, content, versionAfter(app, state, now));
        },
        beside,
      ),
    forget: async (app, key, retract) => {
      await replaceUntilDone(app, kind, key, async (state) => {
        if (isTombstone(state)) return undefined;
        await retract?.(state);
        return dropUnknownFields(tombstoneOf(kind, state.version + 1, state.changed_at));
      });
    },
  };
}

/**
 * Decides the next state by compare-and-set, until it succeeds or there is nothing to decide.
 * @param prepare called before every attempt
 * @throws {ContentionError} if others are faster each time
 */
async function decide<Key, State extends Version, RowKey>(
  app: AppContext,
  kind: Row<Key, State, RowKey>,
  key: Key,
  expected: State | undefined,
  nextOf: (state: State | undefined) => State | undefined,
  prepare: (believed: State | undefined, wanted: State, tries: number) => Promise<void>,
  beside?: readonly Bound[],
): Promise<Changed<State>> {
  let believed = expected;
  for (let tries = 1; ; tries++) {
    const wanted = nextOf(believed);
    if (!wanted) return { changed: false, before: believed, state: believed };
    await prepare(believed, wanted, tries);

    const before = believed;
    let attempts = 0;
    const result = await untilKnown(app.cassandra, () => {
      attempts++;
      return compareAndSet(app, kind, key, before ?? null, wanted, beside);
    });
    if (result.applied) return { changed: true, before, state: wanted };

    const current = result.current?.state;
    // The answer to an earlier attempt may have been lost. A fence leaves the id as it is.
    if (current?.change_id === wanted.change_id) return { changed: true, before, state: current };
    // An earlier attempt may also have been replaced already. Another one would decide twice.
    if (attempts > 1 && current && current.version > wanted.version) {
      throw new CassandraError('unknown', 'an attempt to decide may have been replaced', undefined);
    }
    believed = current;
    await letOthersPass(app.cassandra, tries, 'the row');
  }
}

/**
 * Replaces the state of a row, and tries again when another call was faster.
 * @param next returns the next state, `undefined` to leave the row
 * @returns the state of the row now; `undefined` for no row
 * @throws {ContentionError} if others are faster each time
 */
async function replaceUntilDone<Key, State extends Version, RowKey>(
  app: AppContext,
  kind: Row<Key, State, RowKey>,
  key: Key,
  next: (state: State) => Promise<State | undefined>,
  beside?: readonly Bound[],
): Promise<State | undefined> {
  for (let tries = 1; ; tries++) {
    const state = await readUntilKnown(app, kind, key);
    const wanted = state && (await next(state));
    if (!wanted) return state;

    const { applied } = await replace(app, kind, key, state, wanted, beside);
    if (applied) return wanted;
    await letOthersPass(app.cassandra, tries, 'the row');
  }
}

const replace = <Key, State extends Version, RowKey>(
  app: AppContext,
  kind: Row<Key, State, RowKey>,
  key: Key,
  former: State,
  next: State,
  beside?: readonly Bound[],
) => untilKnown(app.cassandra, () => compareAndSet(app, kind, key, former, next, beside));

/** The part of a kind that names its rows. */
type Row<Key, State extends Version, RowKey> = Pick<
  AggregateKind<Key, State, never, RowKey>,
  'table' | 'rowKey' | 'shownAs'
>;

/** Announces a change and makes it. Each attempt is announced, as others may have taken long. */
async function compareAndSet<Key, State extends Version, RowKey>(
  app: AppContext,
  kind: Row<Key, State, RowKey>,
  key: Key,
  believed: State | null,
  next: State,
  beside?: readonly Bound[],
) {
  await announceChange(app, kind, key);
  return kind.table.compareAndSet(app.cassandra, kind.rowKey(key), believed, next, beside);
}

const announceChange = async <Key>(
  app: AppContext,
  { shownAs }: Pick<AggregateKind<Key, never, never, never>, 'shownAs'>,
  key: Key,
): Promise<void> => {
  if (shownAs) await announce(app, shownAs(key));
};

/** Raises the version of a row, so that the condition of a slow caller fails. */
async function fence<Key, State extends Version, Context, RowKey>(
  app: AppContext,
  kind: AggregateKind<Key, State, Context, RowKey, unknown>,
  key: Key,
  above = 0,
): Promise<State> {
  const least = above < VERSION_MAX ? above : 0;
  const tombstone = tombstoneOf(kind, least + 1, app.clock());
  const raised = (state: State | undefined): State =>
    state ? { ...state, version: Math.max(state.version, least) + 1 } : tombstone;
  for (;;) {
    // This change needs no log entry: recovery keeps the one it works on until it is done.
    const believed = await readUntilKnown(app, kind, key);
    const { state = tombstone } = await decide(app, kind, key, believed, raised, () => Promise.resolve());
    // Another fence that came first is as good, unless its version is too low.
    if (state.version > least) return state;
  }
}

/**
 * Reads a row to complete the work of others, perhaps beside reads of other rows of its partition.
 * Reads that compete are repeated after a random pause; jobs that only failed would compete again
 * at each of their tries.
 */
const readUntilKnown = <Key, State, RowKey>(
  { cassandra }: AppContext,
  { table, rowKey }: Row<Key, State & Version, RowKey>,
  key: Key,
): Promise<State | undefined> => untilKnown(cassandra, () => table.read(cassandra, rowKey(key)));

const tombstoneOf = <State extends Version>(
  { tombstone }: { readonly tombstone: Content<State> },
  version: number,
  changed_at: Date,
) => versioned<State>(tombstone, { version, changed_at, change_id: LOWEST_UUID });

/**
 * Makes the state after a change. A server of a later release may have given the former state
 * fields that this one does not know; they stay.
 */
const following = <State extends Version>(
  former: State | undefined,
  content: Content<State>,
  version: Version,
): State => keepUnknownFields(former, versioned(content, version));

/** Makes a state of its content and its version. */
export const versioned = <State extends Version>(content: Content<State>, version: Version): State =>
  ({ ...content, ...version }) as State;

/** Returns the version of a change. */
export const versionAfter = ({ randomId }: AppContext, state: Version | undefined, now: Date): Version => ({
  version: (state?.version ?? 0) + 1,
  changed_at: momentAfter(state, now),
  change_id: randomId(),
});

/**
 * Returns the moment of a change: now, but always later than the change before, whatever the
 * servers' clocks say.
 */
const momentAfter = (state: Version | undefined, now: Date): Date =>
  state && state.changed_at >= now ? new Date(state.changed_at.getTime() + 1) : now;
