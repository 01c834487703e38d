import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { CassandraError } from '../cassandra/errors.ts';
import { each, first, rows, write } from '../cassandra/statement.ts';
import { serverClock } from '../clocks/operations.ts';
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
 * them. The server that counts reads them from the oldest bucket that may have any, and strikes out
 * a bucket as a whole.
 */

const PARTS = 4;
/** The length of a bucket. A window is recorded in the bucket of the moment of its recording. */
const BUCKET_MS = 10_000;
/** The time for which a server does not record a dirty window again. */
const RECORDED_MS = 1_000;
/**
 * The maximum time from the recording of a window to the writing of its event. If the write took
 * longer, the window is recorded again.
 */
export const WRITTEN_WITHIN_MS = 10_000;
/**
 * The time after its end at which a bucket is closed, by the clock of the server that counts.
 * Nothing comes into a closed bucket any more, and the events of its windows are written or were
 * recorded in a later one. It is the time of writing, twice the skew that servers may have
 * (`CLOCK_SKEW_MAX_MS`, 4 s), and some more. A server whose clock is off by more records nothing.
 */
const CLOSED_AFTER_MS = WRITTEN_WITHIN_MS + 15_000;
/**
 * The time for which dirty windows are kept, the same as their TTL. The events of an older window
 * are gone.
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
   * Records that a minute of a shard is to be counted, unless this was just done.
   * @returns the moment of the recording, in ms
   * @throws {CassandraError} also when the clock of this server is wrong, since the window would be
   *   recorded in a bucket that is not read
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

/** A bucket of dirty windows, and the part of it. */
export interface DirtyBucket {
  readonly bucket: Date;
  readonly part: number;
}

/** Returns a text that identifies a bucket and part. */
export const nameOf = ({ bucket, part }: DirtyBucket): string => `${bucket.getTime()} ${part}`;

/** True if nothing comes into a bucket any more. */
export const isClosed = ({ bucket }: Pick<DirtyBucket, 'bucket'>, now: number): boolean =>
  bucket.getTime() + BUCKET_MS + CLOSED_AFTER_MS < now;

/** Yields the windows of a bucket and part, reading page by page. */
export const windowsIn = ({ cassandra }: AppContext, place: DirtyBucket): AsyncGenerator<DirtyWindow> =>
  each(cassandra, selectDirtyWindows, { bucket: place.bucket, part: place.part });

/** The progress of counting the dirty windows, known to the one server that counts. */
export class Sweep {
  /** No dirty windows are left before this bucket, in ms: the stored value, and the current one. */
  #stored: number | undefined;
  #from: number | undefined;
  /** The stored value as it was first read. */
  #found: number | undefined;
  /** The buckets from the stored one on that are already struck out. */
  readonly #struckOut = new Map<string, DirtyBucket>();
  /** The hours that list these buckets, in ms. */
  readonly #hours = new Set<number>();

  /** Forgets all that is valid only while no other server counts. */
  forget(): void {
    this.#stored = undefined;
    this.#from = undefined;
    this.#found = undefined;
    this.#struckOut.clear();
    this.#hours.clear();
  }

  /**
   * Returns how far the stored value was ahead of the clock when it was read, in ms; 0 if it was
   * not.
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
    // If all clocks were ahead and are right again, new recordings lie before the stored value.
    // Then everything is read once.
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

    // The first open bucket. No bucket before it is left, and none can be added.
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
