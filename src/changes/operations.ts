import { CassandraError } from '../cassandra/errors.ts';
import { heapBytesOf, RecentRows, type Found } from '../cassandra/recent-reads.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { beginningOf, MINUTE_MS, SECOND_MS } from '../time/units.ts';
import { insertChange, selectChanges } from './tables.ts';

/**
 * The list of changes. A server that changes a thing which others keep announces that first, and
 * every server reads the announcements twice a second and drops what they name. So what does not
 * change is kept for minutes, and nothing is shown that was changed more than a second before.
 *
 * An announcement is in place before its change, and stays in the part of the list that is read
 * for {@link ANNOUNCED_MS}. Whatever a server reads meanwhile is dropped again and again, so it
 * does not matter which of the two is seen first.
 */

/** The kinds of things that servers keep until they change. */
const KINDS = ['BOOK', 'READER', 'HIDDEN_READERS', 'LIKE_COUNTS', 'SESSION'] as const;
export type ChangedKind = (typeof KINDS)[number];

/** A thing that servers keep. */
export interface ChangedThing {
  readonly kind: ChangedKind;
  readonly key: string;
}

/** The time that a partition of the list is about. */
const SPAN_MS = 10 * SECOND_MS;
/**
 * The time within which an announced change must have happened: longer than Cassandra takes to
 * decide a conditional write or to give it up.
 */
const ANNOUNCED_MS = 15 * SECOND_MS;
/** The time within which an announcement must be written. */
const WRITTEN_WITHIN_MS = 5 * SECOND_MS;
/** If a server has not read the list for this long, it may have missed a part of it. */
const MISSED_MS = 5 * SECOND_MS;
/** The time after which a thing is read again, even if nobody has announced a change of it. */
const KEPT_MS = 5 * MINUTE_MS;
/**
 * The number of changes in a partition from which on they are not read one by one: everything of
 * their kind is dropped instead.
 */
const CHANGES_MAX = 1_000;

const spanOf = (time: number): number => beginningOf(time, SPAN_MS);

/**
 * Returns the write that announces a change, for a batch that is sent at once and also makes the
 * change.
 */
export const announcement = ({ clock }: Pick<AppContext, 'clock'>, { kind, key }: ChangedThing): Bound =>
  bind(insertChange, { kind, begins_at: new Date(spanOf(clock().getTime())), key });

/**
 * Announces a change that is about to be made.
 * @throws {CassandraError} if it was not announced in time; then the change may not be made
 */
export async function announce(app: AppContext, things: readonly ChangedThing[]): Promise<void> {
  const begun = app.monotonicNow();
  await batch(
    app.cassandra,
    things.map((thing) => announcement(app, thing)),
  );
  if (app.monotonicNow() - begun > WRITTEN_WITHIN_MS)
    throw new CassandraError('unknown', 'a change could not be announced in time', undefined);
}

/** The list of changes as this process follows it. */
const followed = perProcess(() => new FollowedChanges());

class FollowedChanges {
  /** The time at which the latest complete read of the list began. */
  #readAt = -Infinity;
  /** The time since which no change of a kind was missed. */
  readonly #since: Record<ChangedKind, number> = {
    BOOK: Infinity,
    READER: Infinity,
    HIDDEN_READERS: Infinity,
    LIKE_COUNTS: Infinity,
    SESSION: Infinity,
  };
  /** Each cache's function that drops a key. */
  readonly #drops: { readonly kind: ChangedKind; readonly drop: (key: string) => void }[] = [];

  /** Calls a function with the key of every thing of a kind that is announced. */
  onChange(kind: ChangedKind, drop: (key: string) => void): void {
    this.#drops.push({ kind, drop });
  }

  /**
   * Returns true if a thing that was read at some time was not changed before another time, unless
   * its key was dropped. Both are of the steady clock.
   */
  isUnchanged(kind: ChangedKind, readAt: number, until: number): boolean {
    return readAt >= this.#since[kind] && this.#readAt >= until;
  }

  /** Reads the list, and drops what it names. */
  async read(app: AppContext): Promise<void> {
    const { cassandra, clock, config, monotonicNow } = app;
    // Without a bound for the difference of clocks nobody knows where the others announce.
    if (config.clockSkewMaxMs === 0 || config.shownAgeMaxMs === 0) return;

    const begun = monotonicNow();
    const differenceMax = 2 * config.clockSkewMaxMs;
    const oldest = differenceMax + WRITTEN_WITHIN_MS + ANNOUNCED_MS + MISSED_MS;
    const moments = spansBetween(clock().getTime() - oldest, clock().getTime() + differenceMax);
    const found = await rows(cassandra, selectChanges, { kinds: [...KINDS], moments, rows_max: CHANGES_MAX });

    const hasMissed = begun - this.#readAt > MISSED_MS;
    const byKind = Map.groupBy(found, ({ kind }) => kind);
    for (const kind of KINDS) {
      const changes = byKind.get(kind) ?? [];
      const bySpan = Map.groupBy(changes, ({ begins_at }) => begins_at.getTime());
      const isTooLong = [...bySpan.values()].some(({ length }) => length >= CHANGES_MAX);
      if (hasMissed || isTooLong) this.#since[kind] = begun;
      for (const { drop } of this.#drops.filter((each) => each.kind === kind)) for (const { key } of changes) drop(key);
    }
    this.#readAt = begun;
  }
}

const spansBetween = (from: number, to: number): Date[] =>
  Array.from(
    { length: (spanOf(to) - spanOf(from)) / SPAN_MS + 1 },
    (_, index) => new Date(spanOf(from) + index * SPAN_MS),
  );

/** Reads the list of changes. It is called twice a second. */
export const readChanges = (app: AppContext): Promise<void> => followed(app).read(app);

/**
 * Makes a cache of rows that are kept until a change of them is announced.
 * @param limits `milliseconds`: the time after which a change is no longer hidden by the cache, by
 *   default `SHOWN_AGE_MAX_MS`; rows are kept no longer while the list of changes cannot be read.
 *   `bytesMax`: the maximum memory of all rows together
 * @param fromCassandra reads a row by its key
 */
export function keptUntilChanged<Row>(
  app: AppContext,
  kind: ChangedKind,
  limits: { readonly bytesMax: number; readonly milliseconds?: number },
  fromCassandra: (key: string) => Promise<Found<Row>>,
): RecentRows<Found<Row>> {
  const changes = followed(app);
  const { monotonicNow } = app;
  const { bytesMax, milliseconds = app.config.shownAgeMaxMs } = limits;
  const isCurrent = (readAt: number) => changes.isUnchanged(kind, readAt, monotonicNow() - milliseconds);
  const kept = new RecentRows(fromCassandra, {
    name: kind,
    milliseconds,
    untilChanged: { milliseconds: KEPT_MS, isCurrent },
    monotonicNow,
    sizeMax: bytesMax,
    sizeOf: heapBytesOf,
  });
  changes.onChange(kind, (key) => {
    kept.forget(key);
  });
  return kept;
}
