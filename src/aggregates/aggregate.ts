import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { settle } from '../cassandra/settle.ts';
import { appliedBatch, type Applied, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { transact, type Step, type TransactionKind } from '../transactions/operations.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';

/**
 * An authority: a row whose state changes by conditional writes alone, each on condition of the whole state before.
 * Everything else that is kept about it follows from its state.
 */

/** What every authority's state carries. */
export interface AuthorityState {
  /** Counts the changes, from 1. */
  readonly version: number;
  /** When the newest change was made: always later than the one before. */
  readonly changed_at: Date;
  /** Which call made the newest change; `LOWEST_UUID` where none ever did. */
  readonly change_id: string;
}

/** Whether a row says nothing but that nothing was decided: it is there so that whoever is slow does not decide unnoticed. */
export const isFence = ({ change_id }: AuthorityState): boolean => change_id === LOWEST_UUID;

const FENCE_SECONDS = 86_400;

/** How long a row is kept, 0 for good: a fence for a day, which is longer than any process is merely slow. */
export const ttlOf = (state: AuthorityState): number => (isFence(state) ? FENCE_SECONDS : 0);

/** One row: its serial read and its conditional writes. */
export interface AuthorityRow<State> {
  readonly read: () => Promise<State | undefined>;
  readonly insert: (state: State) => Promise<Applied<{ state: State }>>;
  readonly replace: (current: State, next: State) => Promise<Applied<{ state: State }>>;
}

/** A kind of authority: where its rows are, and what follows from them. */
export interface AuthorityKind<Payload, State extends AuthorityState> {
  /** The name of its transactions. */
  readonly name: string;
  /** What names one row, and what else is needed to bring everything up to it. */
  readonly payload: z.ZodType<Payload>;
  readonly row: (app: AppContext, payload: Payload) => AuthorityRow<State>;
  /** The state that says that nothing was ever decided; nothing follows from it. */
  readonly unmade: Omit<State, keyof AuthorityState>;
  /** Brings everything up to a state. May be repeated at any time, and finds newer states of others in place. */
  readonly follow: (app: AppContext, payload: Payload, state: State, step: Step) => Promise<void>;
}

/** The changes of one kind of authority. */
export interface Authority<Payload, State extends AuthorityState> {
  /** For the recovery worker: finishes a change that was left behind, or gives it up for good. */
  readonly transaction: TransactionKind<Payload>;
  /** What the row holds, a decision in progress included. */
  readonly read: (app: AppContext, payload: Payload) => Promise<State | undefined>;
  /**
   * Takes a row from one state to the next and brings everything up to it, as one transaction.
   * @param expected what the row is believed to hold, `undefined` for no row. It must be from before this call: recovery
   *   fences off whoever is slow by changing the row, and who reads it later does not run into the fence
   * @param next the state to follow the given one, `undefined` when it is to stay; called again when another call was faster
   * @param prepare is done before every attempt to decide, when the transaction is noted; once more if it is tried again
   * @returns whether it was this call that changed it
   * @throws {CassandraError} with an unknown outcome
   */
  readonly change: (
    app: AppContext,
    payload: Payload,
    expected: State | undefined,
    next: (state: State | undefined, step: Step) => State | undefined | Promise<State | undefined>,
    prepare?: (step: Step) => Promise<void>,
  ) => Promise<boolean>;
  /** Brings everything up to what the row says, whoever else is at work. */
  readonly repair: (app: AppContext, payload: Payload) => Promise<void>;
  /**
   * Leaves nothing of a row but a fence: without one, a caller that is slow while the row is forgotten would decide anew,
   * when its note may be gone by now. May be repeated at any time.
   * @param undo takes back what followed from a state, under the version after it; with several at work it is called again
   */
  readonly forget: (app: AppContext, payload: Payload, undo?: (state: State) => Promise<void>) => Promise<void>;
}

/** Makes the changes of a kind of authority. */
export function authority<Payload, State extends AuthorityState>(
  kind: AuthorityKind<Payload, State>,
): Authority<Payload, State> {
  const transaction: TransactionKind<Payload> = {
    name: kind.name,
    payload: kind.payload,
    recover: async (app, payload, step) => {
      const state = await step('authority', () => fence(app, kind, payload));
      await kind.follow(app, payload, state, step);
    },
  };
  return {
    transaction,
    read: (app, payload) => kind.row(app, payload).read(),
    change: (app, payload, expected, next, prepare) =>
      transact(app, transaction, payload, async ({ step, logAgain }) => {
        const row = kind.row(app, payload);
        const { state, changed } = await step('authority', () =>
          decide(
            app,
            row,
            expected,
            (current) => next(current, step),
            logAgain,
            () => prepare?.(step) ?? Promise.resolve(),
          ),
        );
        // Also when nothing changed: the process that decided it may have died before the rest followed.
        if (state) await kind.follow(app, payload, state, step);
        return changed;
      }),
    repair: (app, payload) =>
      transact(app, transaction, payload, ({ step }) => transaction.recover(app, payload, step)),
    forget: async (app, payload, undo) => {
      const row = kind.row(app, payload);
      for (;;) {
        const state = await row.read();
        if (!state || isFence(state)) return;
        await undo?.(state);
        const forgotten = fenceOf(kind, state.version + 1, state.changed_at);
        if ((await settle(app.cassandra, () => row.replace(state, forgotten))).applied) return;
      }
    },
  };
}

/** What the authority holds after a decision, and whether it was this call that changed it. */
interface Decision<State> {
  readonly state: State | undefined;
  readonly changed: boolean;
}

async function decide<State extends AuthorityState>(
  app: AppContext,
  row: AuthorityRow<State>,
  expected: State | undefined,
  next: (state: State | undefined) => State | undefined | Promise<State | undefined>,
  beforeAgain: () => Promise<void>,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<Decision<State>> {
  let current = expected;
  for (let tries = 1; ; tries++) {
    const wanted = await next(current);
    if (!wanted) return { state: current, changed: false };
    if (tries > 1) await beforeAgain();
    await prepare();
    const believed = current;
    let attempts = 0;
    const result = await settle(app.cassandra, () => {
      attempts++;
      return believed ? row.replace(believed, wanted) : row.insert(wanted);
    });
    if (result.applied) return { state: wanted, changed: true };
    current = result.current?.state;
    // The answer to an earlier attempt of ours may have been lost; a fence leaves the id as it is.
    if (current?.change_id === wanted.change_id) return { state: current, changed: true };
    // It may also have been replaced already. Deciding once more would then be doing it twice.
    if (attempts > 1 && current && current.version > wanted.version) {
      throw new CassandraError('unknown', 'an attempt to decide may have been replaced', undefined);
    }
  }
}

const ROWS_PER_BATCH = 100;

/**
 * Decides many rows of one partition for the first time, 100 in one conditional write; those that are there already stay as
 * they are. For loading in bulk: it is no transaction, and who calls it brings everything else up to what is returned.
 * @param wanted by the rest of the row's key
 * @param insert the write of one row, on condition that there is none
 * @param read the rows that there are
 * @returns what every row holds
 */
export async function decideMany<State>(
  { cassandra }: AppContext,
  wanted: ReadonlyMap<string, State>,
  insert: (key: string, state: State) => Bound,
  read: (keys: string[]) => Promise<ReadonlyMap<string, State>>,
): Promise<Map<string, State>> {
  const decided = new Map<string, State>();
  const all = [...wanted];
  for (let begin = 0; begin < all.length; begin += ROWS_PER_BATCH) {
    let missing = all.slice(begin, begin + ROWS_PER_BATCH);
    while (missing.length > 0) {
      const writes = missing.map(([key, state]) => insert(key, state));
      const areNew = await settle(cassandra, () => appliedBatch(cassandra, writes));
      // What stands in the way may be our own, of a try whose answer was lost.
      const found = areNew ? new Map(missing) : await read(missing.map(([key]) => key));
      for (const [key, state] of found) decided.set(key, state);
      missing = missing.filter(([key]) => !found.has(key));
    }
  }
  return decided;
}

/** Changes a row without changing what it says, so that a caller that is merely slow fails its condition. */
async function fence<Payload, State extends AuthorityState>(
  app: AppContext,
  kind: AuthorityKind<Payload, State>,
  payload: Payload,
): Promise<State> {
  const row = kind.row(app, payload);
  const unmade = fenceOf(kind, 1, app.clock());
  const raised = (state: State | undefined) => (state ? { ...state, version: state.version + 1 } : unmade);
  // Recovery's own note stays until it is done.
  const { state } = await decide(app, row, await row.read(), raised, () => Promise.resolve());
  return state ?? unmade;
}

const fenceOf = <Payload, State extends AuthorityState>(
  { unmade }: AuthorityKind<Payload, State>,
  version: number,
  changed_at: Date,
) => ({ ...unmade, version, changed_at, change_id: LOWEST_UUID }) as State;

/** What every new state has of its own. */
export const changeOf = ({ randomId }: AppContext, state: AuthorityState | undefined, now: Date): AuthorityState => ({
  version: (state?.version ?? 0) + 1,
  changed_at: after(state, now),
  change_id: randomId(),
});

/** The moment of a change: now, but always later than that of the change before, whatever the servers' clocks say. */
const after = (state: AuthorityState | undefined, now: Date): Date =>
  state && state.changed_at >= now ? new Date(state.changed_at.getTime() + 1) : now;
