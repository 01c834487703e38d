import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { settle } from '../cassandra/settle.ts';
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

/** How long a row is kept, 0 for good: a tombstone for a day, which is longer than any process is merely slow. */
export const ttlOf = (state: Version): number => (isTombstone(state) ? TOMBSTONE_SECONDS : 0);

/** Projections by their names. They are written at once, and may be written again at any time. */
export type Stage = Readonly<Record<string, () => Promise<unknown>>>;

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
  readonly owner: (app: AppContext, key: Key, state: State) => Promise<Owner | undefined>;
  /** Leaves nothing of one whose owner's account is deleted. May be repeated at any time. */
  readonly erase?: (app: AppContext, key: Key) => Promise<void>;
  /**
   * What follows from a state, one stage after the other; newer states of others may be projected already.
   * @param isFormer whether this is only to make sure of it, before the state is replaced
   */
  readonly projections: (app: AppContext, key: Key, state: State, owner: Owner, isFormer: boolean) => readonly Stage[];
  /** Whether a state no longer says what the projections of the former one must have seen; those are written first then. */
  readonly forgets?: (former: State, next: Content<State>) => boolean;
}

/** Something unique that is taken before a decision, and given back where nothing is decided. */
export interface Reservation {
  readonly name: string;
  readonly take: () => Promise<void>;
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
  /** Projects what the row says, whoever else is at work. */
  readonly repair: (app: AppContext, key: Key) => Promise<void>;
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
  const project = async (app: AppContext, key: Key, state: State, step: Step, isFormer = false): Promise<void> => {
    const owner = await kind.owner(app, key, state);
    if (owner === undefined) return kind.erase?.(app, key);

    for (const stage of kind.projections(app, key, state, owner, isFormer))
      await Promise.all(Object.entries(stage).map(([name, write]) => step(name, write)));
  };
  const projectFormer = (app: AppContext, key: Key, state: State, step: Step) =>
    project(app, key, state, (name, work) => step(`former ${name}`, work), true);

  const transaction: TransactionKind<Key> = {
    name: kind.name,
    payload: kind.key,
    recover: async (app, key, step) => {
      const state = await step('compare-and-set', () => fence(app, kind, key));
      await project(app, key, state, step);
    },
  };

  return {
    transaction,
    read,
    change: (app, key, expected, next, reservation) => {
      const now = app.clock();
      return transact(app, transaction, key, async ({ step, logAgain }) => {
        let isReserved = false;
        const nextOf = (state: State | undefined): State | undefined => {
          const content = next(state, momentAfter(state, now));
          return content && versioned<State>(content, versionAfter(app, state, now));
        };
        const prepare = async (former: State | undefined, wanted: State, tries: number) => {
          if (former && kind.forgets?.(former, wanted)) await projectFormer(app, key, former, step);
          if (tries > 1) await logAgain();
          if (!reservation) return;
          await step(reservation.name, reservation.take);
          isReserved = true;
        };

        const decided = await step('compare-and-set', () => decide(app, kind, key, expected, nextOf, prepare)).catch(
          async (error: unknown) => {
            if (error instanceof UserError && isReserved) await reservation?.release();
            throw error;
          },
        );
        // Also when nothing changed: the process that decided it may have died before it was projected.
        if (decided.state) await project(app, key, decided.state, step);
        return decided;
      });
    },
    repair: (app, key) => transact(app, transaction, key, ({ step }) => transaction.recover(app, key, step)),
    forget: async (app, key, retract) => {
      for (;;) {
        const state = await read(app, key);
        if (!state || isTombstone(state)) return;
        await retract?.(state);
        const forgotten = tombstoneOf(kind, state.version + 1, state.changed_at);
        const { applied } = await settle(app.cassandra, () =>
          kind.table.compareAndSet(app.cassandra, kind.rowKey(key), state, forgotten),
        );
        if (applied) return;
      }
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
    const result = await settle(app.cassandra, () => {
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

/** Changes a row without changing what it says, so that a caller that is merely slow fails its condition. */
async function fence<Key, State extends Version, Owner, RowKey>(
  app: AppContext,
  kind: AggregateKind<Key, State, Owner, RowKey>,
  key: Key,
): Promise<State> {
  const tombstone = tombstoneOf(kind, 1, app.clock());
  const raised = (state: State | undefined): State => (state ? { ...state, version: state.version + 1 } : tombstone);
  // Recovery's own log entry stays until it is done.
  const { state } = await decide(app, kind, key, await kind.table.read(app.cassandra, kind.rowKey(key)), raised, () =>
    Promise.resolve(),
  );
  return state ?? tombstone;
}

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
