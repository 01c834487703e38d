import { dropUnknownFields } from '../cassandra/unknown-fields.ts';
import type { Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { transact, type Step, type TransactionKind } from '../transactions/operations.ts';
import { announceChange, decide, fence, replaceUntilDone, tombstoneOf, type Changed } from './decide.ts';
import type { AggregateKind, Precondition, ProjectionReason } from './kind.ts';
import { following, isTombstone, momentAfter, versionAfter, type Content, type Version } from './state.ts';

/**
 * An aggregate is a row that is a source of truth. Its state changes only by compare-and-set, on
 * condition that the whole former state is unchanged. Everything else that is stored about it is a
 * projection of its state.
 */

/** The operations on one kind of aggregate. */
export interface Aggregate<Key, State extends Version, Result = unknown> {
  /**
   * The kind of its transactions. Recovery completes an orphaned change, or abandons it
   * permanently.
   */
  readonly transaction: TransactionKind<Key>;
  /** Reads the state of a row serially, including a decision in progress. */
  readonly read: (app: AppContext, key: Key) => Promise<State | undefined>;
  /**
   * Changes a row from one state to the next and projects it, as one transaction.
   * @param expected the state that the row probably has, `undefined` for no row. Read it before
   *   this call: recovery fences off a slow caller by changing the row, and a later read would pass
   *   the fence
   * @param next returns the next state, `undefined` to leave the row. It must be pure: it is called
   *   again when another call was faster. `at` is the moment of the change: now, but later than the
   *   previous change. If it throws a {@link UserError}, nothing is changed
   * @param beside writes to other rows of the partition, made if the state is changed
   * @throws {CassandraError} with an unknown outcome
   */
  readonly change: (
    app: AppContext,
    key: Key,
    expected: State | undefined,
    next: (state: State | undefined, at: Date) => Content<State> | undefined,
    precondition?: Precondition,
    beside?: readonly Bound[],
  ) => Promise<Changed<State, Result>>;
  /**
   * Projects the state of a row again, even while others change it.
   * @param above the row gets a version higher than this one, unless that exceeds the highest
   *   version
   * @returns the state that was projected
   */
  readonly repair: (app: AppContext, key: Key, above?: number) => Promise<State>;
  /**
   * Changes a row without a separate transaction, and projects nothing. Only jobs and projections
   * call it, because they are repeated until they succeed.
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
   * Replaces a row by a tombstone. Without a tombstone, a slow caller could decide again after the
   * row and its log entry are deleted. It can be repeated at any time.
   * @param retract removes the projections of a state, with the version after it; called again if
   *   the row changes meanwhile
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
    // A change that this call has just decided is announced already.
    if (reason.decidedSince === undefined) await announceChange(app, kind, key);

    const projections = kind.projections(app, key, state, context, reason);
    if (typeof projections === 'function') return projections(step);
    for (const stage of projections) await Promise.all(Object.entries(stage).map(([name, write]) => step(name, write)));
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
    change: (app, key, expected, next, precondition, beside) => {
      const now = app.clock();
      return transact(app, transaction, key, async ({ step, ensureLogged }) => {
        let isTaken = false;
        const nextOf = (state: State | undefined): State | undefined => {
          const content = next(state, momentAfter(state, now));
          return content && following(state, content, versionAfter(app, state, now));
        };
        const prepare = async (former: State | undefined, wanted: State, tries: number) => {
          if (former && kind.needsFormerProjection?.(former, wanted)) await projectFormer(app, key, former, step);
          if (tries > 1) await ensureLogged();
          if (!precondition) return;
          await step(precondition.name, () => precondition.take(former?.version ?? 0, ensureLogged));
          isTaken = true;
        };

        const decidedSince = app.monotonicNow();
        const decided = await step('compare-and-set', () =>
          decide(app, kind, key, expected, nextOf, prepare, beside),
        ).catch(async (error: unknown) => {
          if (error instanceof UserError && isTaken) await precondition?.release();
          throw error;
        });
        // An unchanged state is projected as well, because the process that decided it may have
        // died before projecting it.
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
