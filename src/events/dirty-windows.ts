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
  selectDirtyBuckets,
  selectDirtyWindows,
  selectSwept,
  updateSwept,
  type DirtyWindow,
} from './tables.ts';

/**
 * The dirty windows: which minutes are to be counted, by when that was recorded. Every server records, the one that counts reads
 * them from the oldest bucket on that may have any, and strikes out a bucket as a whole.
 */

const PARTS = 4;
/** A window is recorded under the ten seconds of its recording. */
const BUCKET_MS = 10_000;
/** So long a server does not record a dirty window again. */
const RECORDED_MS = 1_000;
/** Where an event took longer to be written, counted from the recording, its window is recorded once more. */
export const WRITTEN_WITHIN_MS = 10_000;
/**
 * So long after its end a bucket is closed, by the clock of who counts: nothing comes into it any more, and the events of its windows are
 * written, or have been recorded in a later one. That is the time of writing, twice the skew that servers may have
 * (`CLOCK_SKEW_MAX_MS`, 4 s), and some more. A server whose clock is off by more records nothing.
 */
const CLOSED_AFTER_MS = WRITTEN_WITHIN_MS + 15_000;
/** As the TTL of what is recorded: the events of an older window have gone. */
const KEPT_MS = 9 * DAY_MS;
const WINDOWS_REMEMBERED = 10_000;
const BUCKETS_REMEMBERED = 4 * PARTS;
const BUCKETS_OF_HOUR = (HOUR_MS / BUCKET_MS) * PARTS;
const AT_ONCE = 32;

const bucketOf = (time: number) => beginningOf(time, BUCKET_MS);
const hourOf = (time: number) => beginningOf(time, HOUR_MS);

/** The dirty windows of this process. */
export const dirtyWindows = perProcess(() => new DirtyWindows());

/** Which minutes this server has recorded as dirty windows a moment ago. */
export class DirtyWindows {
  readonly #recorded = new LRUCache<string, number>({ max: WINDOWS_REMEMBERED });
  readonly #listed = new LRUCache<string, true>({ max: BUCKETS_REMEMBERED });

  /**
   * Records that a minute of a shard is to be counted, unless that was done a moment ago.
   * @returns when it was recorded, in ms
   * @throws {CassandraError} also where the clock of this server is wrong: it would be recorded where nobody looks any more
   */
  async record(app: AppContext, minute: Date, shard: number): Promise<number> {
    const key = `${minute.getTime()} ${shard}`;
    const now = app.clock();
    const known = this.#recorded.get(key);
    if (known !== undefined && now.getTime() - known < RECORDED_MS && known <= now.getTime()) return known;
    if (serverClock(app).isWrong(app))
      throw new CassandraError('refused', 'A dirty window is not recorded by a clock that is wrong', undefined);

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

/** Where dirty windows were recorded. */
export interface DirtyBucket {
  readonly bucket: Date;
  readonly part: number;
}

/** A text that names a bucket and part. */
export const nameOf = ({ bucket, part }: DirtyBucket): string => `${bucket.getTime()} ${part}`;

/** Whether nothing comes into a bucket any more. */
export const isClosed = ({ bucket }: Pick<DirtyBucket, 'bucket'>, now: number): boolean =>
  bucket.getTime() + BUCKET_MS + CLOSED_AFTER_MS < now;

/** The windows of a bucket and part, a page after the other. */
export const windowsIn = ({ cassandra }: AppContext, place: DirtyBucket): AsyncGenerator<DirtyWindow> =>
  each(cassandra, selectDirtyWindows, { bucket: place.bucket, part: place.part });

/** How far the dirty windows are counted, as the one server knows it that counts. */
export class Sweep {
  /** Before this bucket nothing is left, in ms; as it is stored, and as it is. */
  #stored: number | undefined;
  #from: number | undefined;
  /** The former, as it was found. */
  #found: number | undefined;
  /** Those behind it that are struck out already. */
  readonly #struckOut = new Map<string, DirtyBucket>();
  /** The hours that list them, in ms. */
  readonly #hours = new Set<number>();

  /** Forgets what is only known for as long as nobody else counts. */
  forget(): void {
    this.#stored = undefined;
    this.#from = undefined;
    this.#found = undefined;
    this.#struckOut.clear();
    this.#hours.clear();
  }

  /** How far ahead of the clock that is which somebody has stored, in ms; 0 where it is not. */
  aheadMs(now: number): number {
    return Math.max(0, (this.#found ?? now) - now);
  }

  /** Where there may be dirty windows, the oldest first. One statement an hour since the oldest one. */
  async find({ cassandra }: AppContext, now: number): Promise<DirtyBucket[]> {
    this.#found ??= (await first(cassandra, selectSwept, { all_buckets: 0 }))?.bucket.getTime();
    this.#stored ??= this.#found;
    // Where all clocks were ahead, and are right again, what is recorded since lies before it: then everything is looked at once.
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
   * Deletes buckets, all of whose windows were counted after they were closed.
   * @param left those that were found besides
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

    // The first one that is not closed: none before is left, and none comes any more.
    const open = bucketOf(now - CLOSED_AFTER_MS - BUCKET_MS - 1) + BUCKET_MS;
    const from = Math.min(open, ...left.map(({ bucket }) => bucket.getTime()));
    this.#from = from;
    if (done.length === 0 && this.#stored !== undefined && hourOf(this.#stored) === hourOf(from)) return;

    await write(cassandra, updateSwept, { all_buckets: 0, bucket: new Date(from), write_timestamp: BigInt(from) });
    this.#stored = from;
    for (const [name, { bucket }] of this.#struckOut) if (bucket.getTime() < from) this.#struckOut.delete(name);
    for (const hour of this.#hours) {
      if (hour >= hourOf(from)) continue;
      await write(cassandra, deleteDirtyBuckets, { hour: new Date(hour) });
      this.#hours.delete(hour);
    }
  }
}
