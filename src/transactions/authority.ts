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
 * @param expected what the row is believed to hold, `undefined` for no row; a wrong belief costs a round
 * @param next the state to follow the given one, `undefined` when it is to stay; called again when another call was faster
 * @throws {CassandraError} with an unknown outcome
 */
export async function decide<State extends AuthorityState>(
  row: AuthorityRow<State>,
  expected: State | undefined,
  next: (state: State | undefined) => State | undefined | Promise<State | undefined>,
): Promise<Decision<State>> {
  for (let current = expected; ;) {
    const wanted = await next(current);
    if (!wanted) return { state: current, changed: false };
    const believed = current;
    const result = await settle(() => (believed ? row.replace(believed, wanted) : row.insert(wanted)));
    if (result.applied) return { state: wanted, changed: true };
    current = result.current?.state;
    // The answer to an earlier try of ours may have been lost.
    if (current?.change_id === wanted.change_id) return { state: wanted, changed: true };
  }
}

/** The moment of a change: now, but always later than that of the change before, whatever the servers' clocks say. */
export const after = (state: AuthorityState | undefined, now: Date): Date =>
  state && state.changed_at >= now ? new Date(state.changed_at.getTime() + 1) : now;
