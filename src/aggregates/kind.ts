import type { z } from 'zod';
import type { StateTable } from '../cassandra/state-table.ts';
import type { ChangedThing } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { Content, Version } from './state.ts';

/** An aggregate, as a feature declares it. */

/** Projections by their names. They are written in parallel, and may be repeated at any time. */
export type Stage = Readonly<Record<string, () => Promise<unknown>>>;

/** The results of a stage's projections, by their names. */
export type Results<Written extends Stage> = { readonly [Name in keyof Written]: Awaited<ReturnType<Written[Name]>> };

/** Writes a stage, and resolves when all of it is written. */
export type WriteStage = <Written extends Stage>(stage: Written) => Promise<Results<Written>>;

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
   * Reads what the projections need beside the state, such as the owner's account; `undefined` if
   * that account is deleted. It is read after the decision: a change or deletion of the account
   * that does not find this state was made before that.
   */
  readonly projectionContext: (
    app: AppContext,
    key: Key,
    state: State,
    reason: ProjectionReason,
  ) => Promise<Context | undefined>;
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
