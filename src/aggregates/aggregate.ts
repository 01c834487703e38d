import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { untilKnown } from '../cassandra/until-known.ts';
import type { StateTable } from '../cassandra/state-table.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { transact, type Step, type TransactionKind } from '../transactions/operations.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';

/**
 * An aggregate: a row that is the source of truth. Its state changes by compare-and-set alone, each time on condition of the
 * whole state before; everything else that is kept about it is a projection of its state.
 */

/** What every aggregate's state carries. */
export interface Version {
  /** Counts the changes, from 1. */
  readonly version: number;
  /** When the newest change was made: always later than the one before. */
  readonly changed_at: Date;
  /** Which call made the newest change; `LOWEST_UUID` in a tombstone. */
  readonly change_id: string;
}

/** What a state says, without its version. */
export type Content<State extends Version> = Omit<State, keyof Version>;

/** Whether a state says nothing but that nothing was decided: it is there so that whoever is slow does not decide unnoticed. */
export const isTombstone = ({ change_id }: Version): boolean => change_id === LOWEST_UUID;

const TOMBSTONE_SECONDS = 86_400;
/** A version is an `int`; far below its end, so that changes can follow. */
const VERSION_MAX = 2 ** 30;

/** How long a row is kept, 0 for good: a tombstone for a day, which is longer than any process is merely slow. */
export const ttlOf = (state: Version): number => (isTombstone(state) ? TOMBSTONE_SECONDS : 0);

/** Projections by their names. They are written at once, and may be written again at any time. */
export type Stage = Readonly<Record<string, () => Promise<unknown>>>;

/** The results of a stage's projections, by their names. */
type Results<Written extends Stage> = { readonly [Name in keyof Written]: Awaited<ReturnType<Written[Name]>> };

/** Writes a stage, and returns when all of it is written. */
type WriteStage = <Written extends Stage>(stage: Written) => Promise<Results<Written>>;

/** Stages in their order; a function where a later stage needs what an earlier one returned. */
export type Projections = readonly Stage[] | ((write: WriteStage) => Promise<void>);

/**
 * Why a state is projected. `CHANGE`: it was decided just now, perhaps by a process that died; `FORMER`: only to make sure of it,
 * before it is replaced; `REPAIR`: nothing was decided, its rows are written once more.
 */
export type Occasion = 'CHANGE' | 'FORMER' | 'REPAIR';

/** Why, and of what, a state is projected. */
export interface Why {
  readonly occasion: Occasion;
  /**
   * A moment of this process's steady clock before which the state was not decided, in ms; unset where it may have been, by whom and when
   * ever.
   */
  readonly decidedSince?: number | undefined;
}

/** A kind of aggregate: where its rows are, and what is projected from them. */
export interface AggregateKind<Key, State extends Version, Owner, RowKey> {
  /** The name of its transactions. */
  readonly name: string;
  /** What names one row, and what else its projections need; the log has it. */
  readonly key: z.ZodType<Key>;
  /** The source of truth, and the key of the row there. */
  readonly table: StateTable<RowKey, State>;
  readonly rowKey: (key: Key) => RowKey;
  /** What a tombstone says; nothing is projected from it. */
  readonly tombstone: Content<State>;
  /**
   * Finds those whom it belongs to; `undefined` when their account is deleted. Read after the decision: whoever changes or
   * deletes the account and does not find this state yet has done so before.
   */
  readonly owner: (app: AppContext, key: Key, state: State, why: Why) => Promise<Owner | undefined>;
  /** Leaves nothing of one whose owner's account is deleted. May be repeated at any time. */
  readonly erase?: (app: AppContext, key: Key) => Promise<void>;
  /** What follows from a state, one stage after the other; newer states of others may be projected already. */
  readonly projections: (app: AppContext, key: Key, state: State, owner: Owner, why: Why) => Projections;
  /** Whether a state no longer says what the projections of the former one must have seen; those are written first then. */
  readonly forgets?: (former: State, next: Content<State>) => boolean;
}

/** Something unique that is taken before a decision, and given back where nothing is decided. */
export interface Reservation {
  readonly name: string;
  /**
   * @param version of the state on which it is to be decided, 0 for none; called again, with a higher one, where that failed
   * @param ensureLogged is done before every attempt: what is taken while nothing is logged would never be given back
   */
  readonly take: (version: number, ensureLogged: () => Promise<void>) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** What a change came to. */
export interface Changed<State> {
  /** Whether it was this call that changed it. */
  readonly changed: boolean;
  /** The state on which it was decided, or which was to stay. */
  readonly before: State | undefined;
  /** What the row holds now; `undefined` for no row. */
  readonly state: State | undefined;
}

/** The changes of one kind of aggregate. */
export interface Aggregate<Key, State extends Version> {
  /** For the recovery worker: finishes a change that was orphaned, or gives it up for good. */
  readonly transaction: TransactionKind<Key>;
  /** What the row holds, a decision in progress included. */
  readonly read: (app: AppContext, key: Key) => Promise<State | undefined>;
  /**
   * Takes a row from one state to the next and projects it, as one transaction.
   * @param expected what the row is believed to hold, `undefined` for no row. It must be from before this call: recovery
   *   fences off whoever is slow by changing the row, and who reads it later does not run into the fence
   * @param next what is to follow a state, `undefined` when it is to stay; pure, and asked again when another call was faster.
   *   `at` is the moment of the change: now, but later than the change before. A {@link UserError} from it: nothing is done
   * @throws {CassandraError} with an unknown outcome
   */
  readonly change: (
    app: AppContext,
    key: Key,
    expected: State | undefined,
    next: (state: State | undefined, at: Date) => Content<State> | undefined,
    reservation?: Reservation,
  ) => Promise<Changed<State>>;
  /**
   * Projects what the row says, whoever else is at work.
   * @param above the version with which that is done is higher than this one, where a version can be
   * @returns the state that was projected
   */
  readonly repair: (app: AppContext, key: Key, above?: number) => Promise<State>;
  /**
   * Changes where a row's projections are, as nobody's change: the moment and the id of the newest one stay. Nothing is done where
   * the row is not as expected any more.
   * @param during what it says until its projections are there
   * @param after what it says then; nothing else follows from it than from `during`
   * @throws {CassandraError} with an unknown outcome
   */
  readonly rearrange: (
    app: AppContext,
    key: Key,
    expected: State,
    during: Content<State>,
    after: Content<State>,
  ) => Promise<void>;
  /**
   * Changes a row without a transaction of its own, and projects nothing. It is for a job or a
   * projection, which is repeated until it succeeds.
   * @param next returns what is to follow a state, `undefined` when it is to stay; asked again when
   *   another call was faster
   * @returns what the row holds now; `undefined` for no row
   */
  readonly amend: (
    app: AppContext,
    key: Key,
    next: (state: State, at: Date) => Promise<Content<State> | undefined>,
  ) => Promise<State | undefined>;
  /**
   * Leaves nothing of a row but a tombstone: without one, a caller that is slow while the row is forgotten would decide anew,
   * when its log entry may be gone by now. May be repeated at any time.
   * @param retract takes back what was projected of a state, under the version after it; with several at work it is called again
   */
  readonly forget: (app: AppContext, key: Key, retract?: (state: State) => Promise<void>) => Promise<void>;
}

/** Makes the changes of a kind of aggregate. */
export function aggregate<Key, State extends Version, Owner, RowKey>(
  kind: AggregateKind<Key, State, Owner, RowKey>,
): Aggregate<Key, State> {
  const read = ({ cassandra }: AppContext, key: Key) => kind.table.read(cassandra, kind.rowKey(key));
  const project = async (app: AppContext, key: Key, state: State, step: Step, why: Why): Promise<void> => {
    const owner = await kind.owner(app, key, state, why);
    if (owner === undefined) return kind.erase?.(app, key);

    const writeStage: WriteStage = async <Written extends Stage>(stage: Written) => {
      const written = Object.entries(stage).map(async ([name, write]) => [name, await step(name, write)] as const);
      return Object.fromEntries(await Promise.all(written)) as Results<Written>;
    };
    const projections = kind.projections(app, key, state, owner, why);
    if (typeof projections === 'function') return projections(writeStage);
    for (const stage of projections) await writeStage(stage);
  };
  const projectFormer = (app: AppContext, key: Key, state: State, step: Step) =>
    project(app, key, state, (name, work) => step(`former ${name}`, work), { occasion: 'FORMER' });

  const projectFenced = async (app: AppContext, key: Key, step: Step, occasion: Occasion, above?: number) => {
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
    transaction,
    read,
    change: (app, key, expected, next, reservation) => {
      const now = app.clock();
      return transact(app, transaction, key, async ({ step, logAgain, ensureLogged }) => {
        let isReserved = false;
        const nextOf = (state: State | undefined): State | undefined => {
          const content = next(state, momentAfter(state, now));
          return content && versioned<State>(content, versionAfter(app, state, now));
        };
        const prepare = async (former: State | undefined, wanted: State, tries: number) => {
          if (former && kind.forgets?.(former, wanted)) await projectFormer(app, key, former, step);
          if (tries > 1) await logAgain();
          if (!reservation) return;
          await step(reservation.name, () => reservation.take(former?.version ?? 0, ensureLogged));
          isReserved = true;
        };

        const decidedSince = app.steady();
        const decided = await step('compare-and-set', () => decide(app, kind, key, expected, nextOf, prepare)).catch(
          async (error: unknown) => {
            if (error instanceof UserError && isReserved) await reservation?.release();
            throw error;
          },
        );
        // Also when nothing changed: the process that decided it may have died before it was projected.
        const { state, changed } = decided;
        if (state) await project(app, key, state, step, { occasion: 'CHANGE', ...(changed && { decidedSince }) });
        return decided;
      });
    },
    repair: (app, key, above) =>
      transact(app, transaction, key, ({ step }) => projectFenced(app, key, step, 'REPAIR', above)),
    rearrange: (app, key, expected, during, after) =>
      transact(app, transaction, key, async ({ step }) => {
        const { changed_at, change_id } = expected;
        const [moving, settled] = [during, after].map((content, index) =>
          versioned<State>(content, { version: expected.version + 1 + index, changed_at, change_id }),
        ) as [State, State];
        if (kind.forgets?.(expected, during)) await projectFormer(app, key, expected, step);
        const decided = await step('compare-and-set', () => replace(app, kind, key, expected, moving));
        // What stands in the way may be our own, of a try whose answer was lost.
        const state = decided.applied ? moving : decided.current?.state;
        if (!state) return;
        await project(app, key, state, step, { occasion: 'REPAIR' });
        await step('settle', () => replace(app, kind, key, moving, settled));
      }),
    amend: (app, key, next) =>
      replaceUntilDone(app, kind, key, async (state) => {
        const now = app.clock();
        const content = await next(state, momentAfter(state, now));
        return content && versioned<State>(content, versionAfter(app, state, now));
      }),
    forget: async (app, key, retract) => {
      await replaceUntilDone(app, kind, key, async (state) => {
        if (isTombstone(state)) return undefined;
        await retract?.(state);
        return tombstoneOf(kind, state.version + 1, state.changed_at);
      });
    },
  };
}

/** @param prepare is done before every attempt to decide */
async function decide<Key, State extends Version, RowKey>(
  app: AppContext,
  kind: Pick<AggregateKind<Key, State, never, RowKey>, 'table' | 'rowKey'>,
  key: Key,
  expected: State | undefined,
  nextOf: (state: State | undefined) => State | undefined,
  prepare: (believed: State | undefined, wanted: State, tries: number) => Promise<void>,
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
      return kind.table.compareAndSet(app.cassandra, kind.rowKey(key), before ?? null, wanted);
    });
    if (result.applied) return { changed: true, before, state: wanted };

    const current = result.current?.state;
    // The answer to an earlier attempt of ours may have been lost; a fence leaves the id as it is.
    if (current?.change_id === wanted.change_id) return { changed: true, before, state: current };
    // It may also have been replaced already. Deciding once more would then be doing it twice.
    if (attempts > 1 && current && current.version > wanted.version) {
      throw new CassandraError('unknown', 'an attempt to decide may have been replaced', undefined);
    }
    believed = current;
  }
}

/**
 * Replaces what a row holds, and tries again when another call was faster.
 * @param next returns what is to follow a state, `undefined` when it is to stay
 * @returns what the row holds now; `undefined` for no row
 */
async function replaceUntilDone<Key, State extends Version, RowKey>(
  app: AppContext,
  kind: Pick<AggregateKind<Key, State, never, RowKey>, 'table' | 'rowKey'>,
  key: Key,
  next: (state: State) => Promise<State | undefined>,
): Promise<State | undefined> {
  for (;;) {
    const state = await readUntilKnown(app, kind, key);
    const wanted = state && (await next(state));
    if (!wanted) return state;
    const { applied } = await replace(app, kind, key, state, wanted);
    if (applied) return wanted;
  }
}

const replace = <Key, State extends Version, RowKey>(
  { cassandra }: AppContext,
  { table, rowKey }: Pick<AggregateKind<Key, State, never, RowKey>, 'table' | 'rowKey'>,
  key: Key,
  former: State,
  next: State,
) => untilKnown(cassandra, () => table.compareAndSet(cassandra, rowKey(key), former, next));

/** Changes a row without changing what it says, so that a caller that is merely slow fails its condition. */
async function fence<Key, State extends Version, Owner, RowKey>(
  app: AppContext,
  kind: AggregateKind<Key, State, Owner, RowKey>,
  key: Key,
  above = 0,
): Promise<State> {
  const least = above < VERSION_MAX ? above : 0;
  const tombstone = tombstoneOf(kind, least + 1, app.clock());
  const raised = (state: State | undefined): State =>
    state ? { ...state, version: Math.max(state.version, least) + 1 } : tombstone;
  for (;;) {
    // Recovery's own log entry stays until it is done.
    const believed = await readUntilKnown(app, kind, key);
    const { state = tombstone } = await decide(app, kind, key, believed, raised, () => Promise.resolve());
    // Another fence may have come first, which is as good unless it is too low.
    if (state.version > least) return state;
  }
}

/**
 * Reads a row for whoever finishes what others began, several rows of a partition at once perhaps: those that get in each other's way
 * try again after a random while. Jobs that only failed would meet again at each of their next tries.
 */
const readUntilKnown = <Key, State, RowKey>(
  { cassandra }: AppContext,
  { table, rowKey }: Pick<AggregateKind<Key, State & Version, never, RowKey>, 'table' | 'rowKey'>,
  key: Key,
): Promise<State | undefined> => untilKnown(cassandra, () => table.read(cassandra, rowKey(key)));

const tombstoneOf = <State extends Version>(
  { tombstone }: { readonly tombstone: Content<State> },
  version: number,
  changed_at: Date,
) => versioned<State>(tombstone, { version, changed_at, change_id: LOWEST_UUID });

/** A state, of what it says and its version. */
export const versioned = <State extends Version>(content: Content<State>, version: Version): State =>
  ({ ...content, ...version }) as State;

/** The version of a change. */
export const versionAfter = ({ randomId }: AppContext, state: Version | undefined, now: Date): Version => ({
  version: (state?.version ?? 0) + 1,
  changed_at: momentAfter(state, now),
  change_id: randomId(),
});

/** The moment of a change: now, but always later than that of the change before, whatever the servers' clocks say. */
const momentAfter = (state: Version | undefined, now: Date): Date =>
  state && state.changed_at >= now ? new Date(state.changed_at.getTime() + 1) : now;
