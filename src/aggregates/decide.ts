import { waitAfterConflict, untilKnown } from '../cassandra/retries.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import type { Bound } from '../cassandra/statement.ts';
import { announce } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { AggregateKind } from './kind.ts';
import { versioned, type Content, type Version } from './state.ts';

/** Decisions about rows of aggregates, by compare-and-set. */

/** The highest version that a repair starts from: far below the end of an `int`. */
const VERSION_MAX = 2 ** 30;

/** The result of a change. */
export interface Changed<State, Result = unknown> {
  /** True if this call changed the row. */
  readonly changed: boolean;
  /** The state before the decision, or the unchanged state. */
  readonly before: State | undefined;
  /** The state of the row now; `undefined` for no row. */
  readonly state: State | undefined;
  /** The result of its projections, if they have one. */
  readonly result?: Result | undefined;
}

/**
 * Decides the next state by compare-and-set, until it succeeds or there is nothing to decide.
 * @param prepare called before every attempt
 * @throws {ContentionError} if others are faster each time
 */
export async function decide<Key, State extends Version, RowKey>(
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
    // The answer to an earlier attempt may have been lost. A fence does not change the id.
    if (current?.change_id === wanted.change_id) return { changed: true, before, state: current };
    // A later change may also have replaced the state of an earlier attempt. Another attempt would
    // decide twice.
    if (attempts > 1 && current && current.version > wanted.version) {
      throw new CassandraError('unknown', 'an attempt to decide may have been replaced', undefined);
    }
    believed = current;
    await waitAfterConflict(app.cassandra, tries, 'the row');
  }
}

/**
 * Replaces the state of a row, and tries again when another call was faster.
 * @param next returns the next state, `undefined` to leave the row
 * @returns the state of the row now; `undefined` for no row
 * @throws {ContentionError} if others are faster each time
 */
export async function replaceUntilDone<Key, State extends Version, RowKey>(
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
    await waitAfterConflict(app.cassandra, tries, 'the row');
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

/** The part of a kind that locates its rows and names the data that they show. */
type Row<Key, State extends Version, RowKey> = Pick<
  AggregateKind<Key, State, never, RowKey>,
  'table' | 'rowKey' | 'shownAs'
>;

/**
 * Announces a change and makes it. Each attempt is announced again, because an announcement
 * expires.
 */
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

export const announceChange = async <Key>(
  app: AppContext,
  { shownAs }: Pick<AggregateKind<Key, never, never, never>, 'shownAs'>,
  key: Key,
): Promise<void> => {
  if (shownAs) await announce(app, shownAs(key));
};

/** Raises the version of a row, so that the condition of a slow caller fails. */
export async function fence<Key, State extends Version, Context, RowKey>(
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
    // This change needs no separate log entry, because recovery keeps the entry that it works on
    // until it is done.
    const believed = await readUntilKnown(app, kind, key);
    const { state = tombstone } = await decide(app, kind, key, believed, raised, () => Promise.resolve());
    // A fence that another process made first also suffices, unless its version is too low.
    if (state.version > least) return state;
  }
}

/**
 * Reads a row to complete the work of others. Serial reads of one partition can compete, so a read
 * is repeated after a random pause. If jobs only failed, they would compete again at each of their
 * tries.
 */
const readUntilKnown = <Key, State, RowKey>(
  { cassandra }: AppContext,
  { table, rowKey }: Row<Key, State & Version, RowKey>,
  key: Key,
): Promise<State | undefined> => untilKnown(cassandra, () => table.read(cassandra, rowKey(key)));

export const tombstoneOf = <State extends Version>(
  { tombstone }: { readonly tombstone: Content<State> },
  version: number,
  changed_at: Date,
) => versioned<State>(tombstone, { version, changed_at, change_id: LOWEST_UUID });
