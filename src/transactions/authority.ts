import { settle } from '../cassandra/settle.ts';
import type { Applied } from '../cassandra/statement.ts';

/**
 * An authority: a row whose state changes by conditional writes alone, each on condition of the whole state before.
 * Everything else that is kept about it follows from its state.
 */

/** What every authority's state carries. */
export interface AuthorityState {
  /** Counts the changes, from 1. */
  readonly version: number;
  /** When the newest change was made; see {@link after}. */
  readonly changed_at: Date;
  /** Which call made the newest change. */
  readonly change_id: string;
}

/** The conditional writes of one row. */
export interface AuthorityRow<State> {
  readonly insert: (state: State) => Promise<Applied<{ state: State }>>;
  readonly replace: (current: State, next: State) => Promise<Applied<{ state: State }>>;
}

/** What the authority holds after a decision, and whether it was this call that changed it. */
export interface Decision<State> {
  readonly state: State | undefined;
  readonly changed: boolean;
}

/**
 * Takes a row from one state to the next.
 * @param expected what the row is believed to hold, `undefined` for no row. It must be from before the transaction was
 *   noted: recovery fences off whoever is slow by changing the row, and who reads it later does not run into the fence
 * @param next the state to follow the given one, `undefined` when it is to stay; called again when another call was faster
 * @param beforeAgain called before each further try
 * @throws {CassandraError} with an unknown outcome
 */
export async function decide<State extends AuthorityState>(
  row: AuthorityRow<State>,
  expected: State | undefined,
  next: (state: State | undefined) => State | undefined | Promise<State | undefined>,
  beforeAgain: () => Promise<void>,
): Promise<Decision<State>> {
  let current = expected;
  for (let tries = 1; ; tries++) {
    const wanted = await next(current);
    if (!wanted) return { state: current, changed: false };
    if (tries > 1) await beforeAgain();
    const believed = current;
    const result = await settle(() => (believed ? row.replace(believed, wanted) : row.insert(wanted)));
    if (result.applied) return { state: wanted, changed: true };
    current = result.current?.state;
    // The answer to an earlier try of ours may have been lost; a fence leaves the id as it is.
    if (current?.change_id === wanted.change_id) return { state: current, changed: true };
  }
}

/**
 * For recovery: changes a row without changing what it says, so that a caller that is merely slow fails its condition.
 * @param expected what the row holds
 * @param unmade the state that says that nothing was ever decided, where there is no row yet
 * @returns the state from which everything else is to follow
 */
export async function fence<State extends AuthorityState>(
  row: AuthorityRow<State>,
  expected: State | undefined,
  unmade: State,
): Promise<State | undefined> {
  const raised = (state: State | undefined) => (state ? { ...state, version: state.version + 1 } : unmade);
  // Recovery's own note stays until it is done.
  return (await decide(row, expected, raised, () => Promise.resolve())).state;
}

/** The moment of a change: now, but always later than that of the change before, whatever the servers' clocks say. */
export const after = (state: AuthorityState | undefined, now: Date): Date =>
  state && state.changed_at >= now ? new Date(state.changed_at.getTime() + 1) : now;
