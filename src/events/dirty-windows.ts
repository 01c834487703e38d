import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { CassandraError } from '../cassandra/errors.ts';
import { each, first, rows, write } from '../cassandra/statement.ts';
import { serverClock } from '../trust/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { beginningOf, DAY_MS, HOUR_MS } from '../time/units.ts';
import {
  deleteDirtyBuckets,
  deleteDirtyWindows,
  insertDirtyBucket,
  insertDirtyWindow,
  insertSwept,
  selectDirtyBuckets,
  selectDirtyWindows,
  selectSwept,
  type DirtyWindow,
} from './tables.ts';

/**
 * The dirty windows: the minutes to be counted, by the time of their recording. All servers record
 * them. The counting server reads them from the oldest bucket that may have any, and deletes each
 * bucket as a whole.
 */

const PARTS = 4;
/** The length of a bucket. A window is in the bucket that contains the moment of its recording. */
const BUCKET_MS = 10_000;
/** The time for which a server does not record a dirty window again. */
const RECORDED_MS = 1_000;
/**
 * The maximum time from the recording of a window to the writing of its event. If the write took
 * longer, the window is recorded again.
 */
export const WRITTEN_WITHIN_MS = 10_000;
/**
 * The time from the end of a bucket until it is closed, by the clock of the counting server. No
 * window is recorded in a closed bucket any more, and the events of its windows are written or were
 * recorded again in a later bucket. The time is the sum of the time of writing, twice the skew that
 * servers may have (`CLOCK_SKEW_MAX_MS`, 4 s), and a margin. A server whose clock deviates by more
 * records nothing.
 */
const CLOSED_AFTER_MS = WRITTEN_WITHIN_MS + 15_000;
/**
 * The time for which dirty windows are kept, equal to their TTL. The events of older windows are
 * deleted.
 */
const KEPT_MS = 9 * DAY_MS;
const WINDOWS_REMEMBERED = 10_000;
const BUCKETS_REMEMBERED = 4 * PARTS;
const BUCKETS_OF_HOUR = (HOUR_MS / BUCKET_MS) * PARTS;
const AT_ONCE = 32;

const bucketOf = (time: number) => beginningOf(time, BUCKET_MS);
const hourOf = (time: number) => beginningOf(time, HOUR_MS);

/** The dirty windows of this process. */
export const dirtyWindows = perProcess(() => new DirtyWindows());

/** Remembers the dirty windows that this server has just recorded. */
export class DirtyWindows {
  readonly #recorded = new LRUCache<string, number>({ max: WINDOWS_REMEMBERED });
  readonly #listed = new LRUCache<string, true>({ max: BUCKETS_REMEMBERED });

  /**
   * Records that a minute of a shard has to be counted, unless it was just recorded.
   * @returns the moment of the recording, in ms
   * @throws {CassandraError} also when the clock of this server is wrong, because the window would
   *   be in a bucket that is never read
   */
  async record(app: AppContext, minute: Date, shard: number): Promise<number> {
    const key = `${minute.getTime()} ${shard}`;
    const now = app.clock();
    const known = this.#recorded.get(key);
    if (known !== undefined && now.getTime() - known < RECORDED_MS && known <= now.getTime()) return known;
    if (serverClock(app).isWrong(app))
      throw new CassandraError('refused', 'No dirty window is recorded while the clock is wrong', undefined);

    const place = { bucket: new Date(bucketOf(now.getTime())), part: shard % PARTS };
    await Promise.all([
      this.#list(app, place),
      write(app.cassandra, insertDirtyWindow, { ...place, recorded_at: now, record_id: app.randomId(), minute, shard }),
    ]);
    this.#recorded.set(key, now.getTime());
    return now.getTime();
  }

  async #list({ cassandra }: AppContext, place: DirtyBucket): Promise<void> {
    if (this.#listed.has(nameOf(place))) return;
    await write(cassandra, insertDirtyBucket, { hour: new Date(hourOf(place.bucket.getTime())), ...place });
    this.#listed.set(nameOf(place), true);
  }
}

/** A part of a bucket of dirty windows. */
export interface DirtyBucket {
  readonly bucket: Date;
  readonly part: number;
}

/** Returns a text that identifies a bucket and part. */
export const nameOf = ({ bucket, part }: DirtyBucket): string => `${bucket.getTime()} ${part}`;

/** True if no window is recorded in a bucket any more. */
export const isClosed = ({ bucket }: Pick<DirtyBucket, 'bucket'>, now: number): boolean =>
  bucket.getTime() + BUCKET_MS + CLOSED_AFTER_MS < now;

/** Yields the windows of a bucket and part, reading page by page. */
export const windowsIn = ({ cassandra }: AppContext, place: DirtyBucket): AsyncGenerator<DirtyWindow> =>
  each(cassandra, selectDirtyWindows, { bucket: place.bucket, part: place.part });

/** The progress of counting the dirty windows. Only the counting server knows it. */
export class Sweep {
  /**
   * The time of the bucket before which no dirty windows are left, in ms: the stored and the
   * current value.
   */
  #stored: number | undefined;
  #from: number | undefined;
  /** The stored value at the first read. */
  #found: number | undefined;
  /** The deleted buckets after the stored one. */
  readonly #struckOut = new Map<string, DirtyBucket>();
  /** The hours that list these buckets, in ms. */
  readonly #hours = new Set<number>();

  /** Clears everything that is valid only while no other server counts. */
  forget(): void {
    this.#stored = undefined;
    this.#from = undefined;
    this.#found = undefined;
    this.#struckOut.clear();
    this.#hours.clear();
  }

  /**
   * Returns the lead of the stored value over the clock at the first read, in ms; 0 if it was not
   * ahead.
   */
  aheadMs(now: number): number {
    return Math.max(0, (this.#found ?? now) - now);
  }

  /**
   * Returns the buckets that may have dirty windows, oldest first. It sends one statement per hour
   * since the oldest one.
   */
  async find({ cassandra }: AppContext, now: number): Promise<DirtyBucket[]> {
    this.#found ??= (await first(cassandra, selectSwept, { all_buckets: 0 }))?.bucket.getTime();
    this.#stored ??= this.#found;
    // If all clocks were ahead and are right again, new recordings are before the stored value. In
    // that case everything is read once.
    const known = this.aheadMs(now) > 0 ? undefined : this.#stored;
    const from = Math.max(this.#from ?? known ?? 0, hourOf(now - KEPT_MS));
    this.#from = from;

    const hours: Date[] = [];
    for (let hour = hourOf(from); hour <= now; hour += HOUR_MS) hours.push(new Date(hour));
    const found = await pLimit(AT_ONCE).map(hours, (hour) =>
      rows(cassandra, selectDirtyBuckets, { hour, at_least: new Date(from), rows_max: BUCKETS_OF_HOUR }),
    );
    return found.flat().filter((place) => !this.#struckOut.has(nameOf(place)));
  }

  /**
   * Deletes buckets whose windows were all counted after the buckets were closed.
   * @param left the other buckets that were found
   */
  async strikeOut(
    { cassandra }: AppContext,
    done: readonly DirtyBucket[],
    left: readonly DirtyBucket[],
    now: number,
  ): Promise<void> {
    await pLimit(AT_ONCE).map(done, async (place) => {
      await write(cassandra, deleteDirtyWindows, { bucket: place.bucket, part: place.part });
      this.#struckOut.set(nameOf(place), place);
      this.#hours.add(hourOf(place.bucket.getTime()));
    });

    // The first open bucket. No bucket can be added before it.
    const open = bucketOf(now - CLOSED_AFTER_MS - BUCKET_MS - 1) + BUCKET_MS;
    const from = Math.min(open, ...left.map(({ bucket }) => bucket.getTime()));
    this.#from = from;
    if (done.length === 0 && this.#stored !== undefined && hourOf(this.#stored) === hourOf(from)) return;

    await write(cassandra, insertSwept, { all_buckets: 0, bucket: new Date(from), version: BigInt(from) });
    this.#stored = from;
    for (const [name, { bucket }] of this.#struckOut) if (bucket.getTime() < from) this.#struckOut.delete(name);
    for (const hour of this.#hours) {
      if (hour >= hourOf(from)) continue;
      await write(cassandra, deleteDirtyBuckets, { hour: new Date(hour) });
      this.#hours.delete(hour);
    }
  }
}
