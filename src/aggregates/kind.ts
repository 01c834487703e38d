import type { z } from 'zod';
import type { StateTable } from '../cassandra/state-table.ts';
import type { ChangedThing } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { Step } from '../transactions/operations.ts';
import type { Content, Version } from './state.ts';

/** The declaration of an aggregate by a feature. */

/** Projections by their names. They are written in parallel, and may be repeated at any time. */
export type Stage = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * The stages in order. It is a function if a later stage needs the results of an earlier one, or if
 * the caller of a change needs a result.
 */
export type Projections<Result = void> = readonly Stage[] | ((step: Step) => Promise<Result>);

/** The reason for a projection, and the age of the state. */
export interface ProjectionReason {
  /**
   * `CHANGE`: the state was just decided, perhaps by a process that died. `FORMER`: the projections
   * of a state are completed before it is replaced. `REPAIR`: nothing was decided, and the rows are
   * written again.
   */
  readonly occasion: 'CHANGE' | 'FORMER' | 'REPAIR';
  /**
   * A moment of this process's monotonic clock, in ms. The state was decided after it. Unset if
   * another process may have decided the state. No table contains a projection that is new since
   * then, so its write needs no read before.
   */
  readonly decidedSince?: number | undefined;
}

/** A kind of aggregate: its table, and the projections of its states. */
export interface AggregateKind<Key, State extends Version, Context, RowKey, Result = void> {
  /** The name of its transactions. */
  readonly name: string;
  /**
   * The model of the key. The key names one row, and contains the other data that the projections
   * need. It is logged.
   */
  readonly key: z.ZodType<Key>;
  /** The source of truth, and the key of the row there. */
  readonly table: StateTable<RowKey, State>;
  readonly rowKey: (key: Key) => RowKey;
  /** The content of a tombstone. Nothing is projected from it. */
  readonly tombstone: Content<State>;
  /**
   * Reads the data that the projections need in addition to the state, such as the owner's account;
   * `undefined` if that account is deleted. The read follows the decision, so it sees every change
   * or deletion of the account that missed this state.
   */
  readonly projectionContext: (
    app: AppContext,
    key: Key,
    state: State,
    reason: ProjectionReason,
  ) => Promise<Context | undefined>;
  /** Erases a row of an owner whose account is deleted. It can be repeated at any time. */
  readonly erase?: (app: AppContext, key: Key) => Promise<void>;
  /**
   * Returns the cached things that show the row. Servers keep them until a change of them is
   * announced. Unset if servers cache nothing of the row.
   */
  readonly shownAs?: (key: Key) => readonly ChangedThing[];
  /**
   * Returns the projections of a state. Other processes may already have projected newer states.
   */
  readonly projections: (
    app: AppContext,
    key: Key,
    state: State,
    context: Context,
    reason: ProjectionReason,
  ) => Projections<Result>;
  /**
   * Returns whether the next state lacks something that the projections of the former state need.
   * If so, those are completed first.
   */
  readonly needsFormerProjection?: (former: State, next: Content<State>) => boolean;
}

/**
 * A condition of a decision, such as a reservation, that is taken first and released if nothing is
 * decided.
 */
export interface Precondition {
  readonly name: string;
  /**
   * @param version the version of the state to decide on, 0 for none. After a failed decision
   *   `take` is called again with a higher version
   * @param ensureLogged called before every attempt: a reservation without a log entry would never
   *   be released
   */
  readonly take: (version: number, ensureLogged: () => Promise<void>) => Promise<void>;
  readonly release: () => Promise<void>;
}

/**
 * Makes a decision depend on something other than its row. The check follows the read of the state
 * and precedes the decision. A process that ends the condition and then changes the state makes
 * every decision fail that is based on the former state.
 * @param check throws a {@link UserError} if the condition does not hold
 */
export const precondition = (name: string, check: () => Promise<void>): Precondition => ({
  name,
  take: check,
  release: () => Promise.resolve(),
});
