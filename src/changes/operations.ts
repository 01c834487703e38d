import { CassandraError } from '../cassandra/errors.ts';
import { heapBytesOf, RecentRows, type Found } from '../cassandra/recent-reads.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { beginningOf, MINUTE_MS, SECOND_MS } from '../time/units.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import type { ViewerDataKind } from '../graphql/generated/schema-types.ts';
import { insertChange, selectChanges } from './tables.ts';

/**
 * The list of changes. Before a server changes a thing that other servers cache, it announces the
 * change. Every server reads the announcements twice a second and drops the named things from its
 * caches. Unchanged things can therefore be cached for minutes, and a change is visible everywhere
 * within a second.
 *
 * An announcement is written before its change, and remains in the part of the list that servers
 * read for {@link ANNOUNCED_MS}. During that time servers drop the named thing repeatedly, so it
 * does not matter whether they see the announcement or the change first.
 */

/** The kinds of things that servers cache until they change. */
const KINDS = ['BOOK', 'READER', 'HIDDEN_READERS', 'LIKE_COUNTS', 'SESSION', 'FEED_MONTHS', 'FOLLOWING'] as const;
/** The kind of the acts of readers, which a server reads only while it watches them. */
const ACTS = 'VIEWER';
export type ChangedKind = (typeof KINDS)[number] | typeof ACTS;

/** A thing that servers cache. */
export interface ChangedThing {
  readonly kind: ChangedKind;
  readonly key: string;
}

/** The time span of a partition of the list. */
const SPAN_MS = 10 * SECOND_MS;
/**
 * The time within which an announced change must have happened: longer than Cassandra takes to
 * decide or abandon a conditional write.
 */
const ANNOUNCED_MS = 15 * SECOND_MS;
/** The time within which an announcement must be written. */
const WRITTEN_WITHIN_MS = 5 * SECOND_MS;
/**
 * The maximum time between two reads of the list. After a longer pause, a server may have missed a
 * part of it.
 */
const MISSED_MS = 5 * SECOND_MS;
/** The maximum time for which an unchanged thing is cached. */
const KEPT_MS = 5 * MINUTE_MS;
/**
 * The number of changes in a partition at which a server no longer reads all of them. It drops
 * everything of their kind instead.
 */
const CHANGES_MAX = 1_000;

const spanOf = (time: number): number => beginningOf(time, SPAN_MS);

/**
 * Returns the write that announces a change, for a batch that is sent immediately and also makes
 * the change.
 */
export const announcement = ({ clock }: Pick<AppContext, 'clock'>, { kind, key }: ChangedThing): Bound =>
  bind(insertChange, { kind, begins_at: new Date(spanOf(clock().getTime())), key });

/**
 * Announces an act of a reader that is done. If that fails, the act is still done, and the reader's
 * other devices learn of it when they ask again.
 */
export const announceAct = (app: AppContext, userId: string, of: ViewerDataKind): Promise<void> =>
  batch(app.cassandra, [announcedAct(app, userId, of)]).catch((error: unknown) => {
    app.logger.warn({ err: error }, 'an act of a reader could not be announced to their other devices');
  });

/**
 * Returns the write that announces that other callers than before may see an object, so that
 * subscribers to its likes are not shown them any more, or are again.
 */
export const announcedLikes = (app: Pick<AppContext, 'clock'>, object: NodeId): Bound =>
  announcement(app, { kind: 'LIKE_COUNTS', key: subjectOf(object) });

/**
 * Announces a change that is about to be made.
 * @throws {CassandraError} if it was not announced in time; the caller must not make the change
 *   then
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

/** The data that an act of a reader changes; `FOLLOWS` is whom they follow. */
export type ActKind = ViewerDataKind | 'FOLLOWS';

/**
 * Returns the write that announces an act of a reader to their other devices, for a batch that is
 * sent anyway. Each act has a row of its own, so a server tells each one from those before it.
 */
export const announcedAct = (app: Pick<AppContext, 'clock' | 'randomId'>, userId: string, of: ActKind): Bound =>
  announcement(app, { kind: ACTS, key: `${userId} ${of} ${app.randomId().slice(0, 8)}` });

/**
 * Receives the result of each read of the list, after the caches have dropped what has changed.
 * @param keysOf returns the keys of a kind that were announced within the last half minute;
 *   `undefined` if others may have changed as well
 */
export type ChangesWatcher = (keysOf: (kind: ChangedKind) => ReadonlySet<string> | undefined) => void;

/**
 * Watches the list of changes.
 * @param options `acts`: also reads the acts of readers
 * @returns a function that ends it
 */
export const watchChanges = (
  app: AppContext,
  watcher: ChangesWatcher,
  options: { readonly acts: boolean } = { acts: false },
): (() => void) => followed(app).watch(watcher, options.acts);

/** This process's view of the list of changes. */
const followed = perProcess(() => new FollowedChanges());

class FollowedChanges {
  /** The time at which the latest complete read of the list began. */
  #readAt = -Infinity;
  /** The times since which no change of each kind was missed. */
  readonly #since: Record<ChangedKind, number> = {
    BOOK: Infinity,
    READER: Infinity,
    HIDDEN_READERS: Infinity,
    LIKE_COUNTS: Infinity,
    SESSION: Infinity,
    FEED_MONTHS: Infinity,
    FOLLOWING: Infinity,
    VIEWER: Infinity,
  };
  /** The functions of the caches that drop a key. */
  readonly #drops: { readonly kind: ChangedKind; readonly drop: (key: string) => void }[] = [];

  /** Registers a function that is called with the key of every announced change of a kind. */
  onChange(kind: ChangedKind, drop: (key: string) => void): void {
    this.#drops.push({ kind, drop });
  }

  /** The watchers, and whether each of them needs the acts of readers. */
  readonly #watchers = new Map<ChangesWatcher, boolean>();

  /** Registers a watcher, and returns a function that removes it. */
  watch(watcher: ChangesWatcher, acts: boolean): () => void {
    this.#watchers.set(watcher, acts);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Returns true if a thing that was read at `readAt` was not changed before `until`, unless its
   * key was dropped. Both times are of the monotonic clock.
   */
  isUnchanged(kind: ChangedKind, readAt: number, until: number): boolean {
    return readAt >= this.#since[kind] && this.#readAt >= until;
  }

  /** Reads the list, and drops the named things from the caches. */
  async read(app: AppContext): Promise<void> {
    const { cassandra, clock, config, monotonicNow } = app;
    // Without a bound for the difference of clocks, the partitions in which other servers announce
    // are unknown.
    if (config.clockSkewMaxMs === 0 || config.shownAgeMaxMs === 0) {
      this.#tell(() => undefined);
      return;
    }

    const begun = monotonicNow();
    const differenceMax = 2 * config.clockSkewMaxMs;
    const oldest = differenceMax + WRITTEN_WITHIN_MS + ANNOUNCED_MS + MISSED_MS;
    const moments = spansBetween(clock().getTime() - oldest, clock().getTime() + differenceMax);
    const kinds: ChangedKind[] = [...this.#watchers.values()].includes(true) ? [...KINDS, ACTS] : [...KINDS];
    const found = await rows(cassandra, selectChanges, { kinds, moments, rows_max: CHANGES_MAX });

    const hasMissed = begun - this.#readAt > MISSED_MS;
    const byKind = Map.groupBy(found, ({ kind }) => kind);
    const known = new Map<ChangedKind, ReadonlySet<string>>();
    for (const kind of kinds) {
      const changes = byKind.get(kind) ?? [];
      const bySpan = Map.groupBy(changes, ({ begins_at }) => begins_at.getTime());
      const isTooLong = [...bySpan.values()].some(({ length }) => length >= CHANGES_MAX);
      if (hasMissed || isTooLong) this.#since[kind] = begun;
      else known.set(kind, new Set(changes.map(({ key }) => key)));
      for (const { drop } of this.#drops.filter((each) => each.kind === kind)) for (const { key } of changes) drop(key);
    }
    this.#readAt = begun;
    this.#tell((kind) => known.get(kind));
  }

  #tell(keysOf: Parameters<ChangesWatcher>[0]): void {
    for (const watcher of this.#watchers.keys()) watcher(keysOf);
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
 * @param limits `milliseconds`: the maximum time for which the cache hides a change, by default
 *   `SHOWN_AGE_MAX_MS`; rows are not kept for longer while the list of changes cannot be read.
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
