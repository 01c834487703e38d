import pLimit from 'p-limit';
import { Gauge } from 'prom-client';
import { isAboutStoredData } from '../cassandra/errors.ts';
import { serverClock } from '../trust/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { Lease } from '../leases/operations.ts';
import { waitAfter } from '../time/backoff.ts';
import { HOUR_MS } from '../time/units.ts';
import { dirtyWindows, isClosed, nameOf as bucketNameOf, Sweep, windowsIn, type DirtyBucket } from './dirty-windows.ts';
import { KEPT_MS as EVENTS_KEPT_MS } from './operations.ts';
import { Trending } from './trending.ts';
import { WindowCounter } from './window-counter.ts';
import { nameOf, WINDOWS_AT_ONCE, type ShardWindow } from './windows.ts';

/**
 * Counts the events: minutes from the events themselves, hours from the minutes, days from the
 * hours. A window is counted as a whole whenever a dirty window reports a possible change. The
 * charts, the trending lists and the counts of the whole site are derived from these counts. Each
 * shard stores its own sums for the whole site, so a change in one shard needs no reads of other
 * shards' counts.
 *
 * Only one server counts at a time: the holder of the lease. Its write timestamps contain the
 * lease's epoch, so a late write of a former holder loses to the writes of the next one. A bucket
 * of dirty windows is deleted only after everything that follows from them was written. The next
 * holder therefore begins with the same buckets.
 *
 * While a bucket is open, only changes are written. The last count of its minutes writes all counts
 * of the minutes, and the counts of the same subjects in the hours and days above, regardless of
 * what this server believes is stored. An hour or day may have every subject of the catalogue. The
 * server reads the stored counts of its other subjects and writes only wrong ones.
 *
 * A window that cannot be counted does not delay others. It remains dirty, in a later bucket if
 * necessary, and is tried again.
 */

/** The maximum number of closed buckets that one run counts for the last time and deletes. */
const BUCKETS_AT_ONCE = 32;

const lag = new Gauge({
  name: 'rollup_lag_seconds',
  help: 'Age of the oldest dirty window that is not counted yet, as of the last run',
});
const sweptAhead = new Gauge({
  name: 'rollup_swept_ahead_seconds',
  help: 'Lead over the clock of the time up to which events are recorded as counted; above 0 after clocks were ahead',
});
const failingWindows = new Gauge({
  name: 'rollup_windows_failing',
  help: 'Minutes of shards whose last count failed; they are retried',
});

export const rollUp = perProcess(({ randomId }) => new RollUp(randomId()));

/** The roll-up of one server. */
export class RollUp {
  readonly #lease: Lease;
  #sequence = 0n;
  readonly #counter = new WindowCounter(() => this.#writeTimestamp());
  readonly #sweep = new Sweep();
  /** The dirty windows, by bucket, that were counted once and wait for their last count. */
  readonly #countedOnce = new Map<string, Set<string>>();
  readonly #failing = new Map<string, { readonly failures: number; readonly notBefore: number }>();
  readonly #trending = new Trending({
    countsOf: (app, window) => this.#counter.countsOf(app, window),
    writeTimestamp: () => this.#writeTimestamp(),
  });

  /** @param holder an id of this server */
  constructor(holder: string) {
    this.#lease = new Lease('events', holder);
  }

  /** Counts the dirty windows if this server holds the lease. It can be stopped between windows. */
  async run(app: AppContext, stopping?: AbortSignal): Promise<void> {
    const isHeld = await this.#lease.beginRun(app, () => this.#forget());
    if (!isHeld) return;
    await this.#lease.during(app, async (lost) => {
      const ended = AbortSignal.any(stopping ? [lost, stopping] : [lost]);
      try {
        await this.#countDirty(app, ended);
      } catch (error) {
        // The next holder of the lease counts the same windows.
        if (!ended.aborted) throw error;
      }
    });
  }

  /** Releases the lease, so that another server can count. */
  end = (app: AppContext): Promise<void> => this.#lease.release(app);

  async #countDirty(app: AppContext, ended: AbortSignal): Promise<void> {
    const now = app.clock().getTime();
    // If the clock was set since the run began, open buckets would look closed and be deleted.
    if (serverClock(app).isWrong(app)) return;
    const found = await this.#sweep.find(app, now);
    this.#reportSweep(app, now);
    const closed = found.filter((place) => isClosed(place, now)).slice(0, BUCKETS_AT_ONCE);
    const open = found.filter((place) => !isClosed(place, now));
    const final = await this.#windowsOf(app, closed, now);
    const fresh = await this.#windowsOf(app, open, now);
    lag.set((now - Math.min(now, ...[...final.oldest, ...fresh.oldest])) / 1_000);

    const soon = [...fresh.windows].filter(([name]) => this.#counter.notBefore(name) <= now);
    const due = [...final.windows, ...soon].filter(([name]) => (this.#failing.get(name)?.notBefore ?? 0) <= now);
    const toCount = new Map(due);
    const failed = await this.#counter.count(app, toCount, final.windows, now, ended);
    this.#scheduleRetries(app, toCount, failed);
    await this.#trending.update(app, new Set([...toCount.values()].map(({ shard }) => shard)), now);

    const isCounted = (name: string) => toCount.has(name) && !failed.has(name);
    for (const { bucket, id, name } of fresh.records) {
      const ofBucket = this.#countedOnce.get(bucket) ?? new Set();
      if (isCounted(name)) this.#countedOnce.set(bucket, ofBucket.add(id));
    }
    // The lease is checked again, because this process may have paused: a new holder may not have
    // counted windows recorded meanwhile.
    if (!(await this.#lease.keep(app))) return;
    ended.throwIfAborted();
    // A window that could not be counted is recorded again in a new bucket, where it does not delay
    // others.
    const uncounted = [...final.windows].filter(([name]) => !isCounted(name));
    await pLimit(WINDOWS_AT_ONCE).map(uncounted, ([, { time, shard }]) =>
      dirtyWindows(app).record(app, new Date(time), shard),
    );
    const done = closed.filter((place) => !final.unreadable.has(place));
    const left = found.filter((place) => !done.includes(place));
    await this.#sweep.strikeOut(app, done, left, now);
    for (const place of done) this.#countedOnce.delete(bucketNameOf(place));
  }

  #reportSweep({ logger }: AppContext, now: number): void {
    const aheadMs = this.#sweep.aheadMs(now);
    sweptAhead.set(aheadMs / 1_000);
    if (aheadMs > 0)
      logger.fatal(
        { aheadMs },
        'the time up to which events are recorded as counted is in the future, because clocks were ' +
          'ahead; all records are read again',
      );
  }

  /**
   * Returns the dirty windows of some buckets that were not yet counted, without duplicates, and
   * their records.
   */
  async #windowsOf(app: AppContext, places: readonly DirtyBucket[], now: number) {
    const windows = new Map<string, ShardWindow>();
    const records: { readonly bucket: string; readonly id: string; readonly name: string }[] = [];
    const unreadable = new Set<DirtyBucket>();
    const oldest = new Set<number>();
    await pLimit(WINDOWS_AT_ONCE).map(places, async (place) => {
      const bucket = bucketNameOf(place);
      const isLast = isClosed(place, now);
      try {
        for await (const { record_id, recorded_at, minute, shard } of windowsIn(app, place)) {
          const isCountedOnce = this.#countedOnce.get(bucket)?.has(record_id) ?? false;
          if (isCountedOnce && !isLast) continue;
          // Events of this age are removed, or will be soon. Their counts are kept.
          if (minute.getTime() < now - EVENTS_KEPT_MS + HOUR_MS) continue;
          const window: ShardWindow = { granularity: 'MINUTE', time: minute.getTime(), shard };
          windows.set(nameOf(window), window);
          if (!isCountedOnce) oldest.add(recorded_at.getTime());
          if (!isLast) records.push({ bucket, id: record_id, name: nameOf(window) });
        }
      } catch (error) {
        if (!isAboutStoredData(error)) throw error;
        app.logger.error({ err: error, bucket }, 'dirty windows could not be read; they are retried');
        unreadable.add(place);
        oldest.add(place.bucket.getTime());
      }
    });
    return { windows, records, unreadable, oldest };
  }

  /** Clears everything that is valid only while no other server counts. */
  #forget(): void {
    this.#sequence = 0n;
    this.#counter.forget();
    this.#countedOnce.clear();
    this.#failing.clear();
    this.#sweep.forget();
    this.#trending.forget();
  }

  /** Returns a write timestamp later than all earlier ones. */
  #writeTimestamp(): bigint {
    this.#sequence += 2n;
    return (BigInt(this.#lease.runEpoch ?? 0) << 40n) + this.#sequence;
  }

  /** Schedules the next attempt for the minutes that could not be counted. */
  #scheduleRetries(
    app: AppContext,
    tried: ReadonlyMap<string, ShardWindow>,
    failed: ReadonlyMap<string, unknown>,
  ): void {
    for (const name of tried.keys()) {
      if (!failed.has(name)) {
        this.#failing.delete(name);
        continue;
      }
      const failures = (this.#failing.get(name)?.failures ?? 0) + 1;
      const waitMs = waitAfter(failures);
      this.#failing.set(name, { failures, notBefore: app.clock().getTime() + waitMs });
      const about = { err: failed.get(name), window: name, failures, waitMs };
      app.logger.error(about, 'a minute of events could not be counted; it is retried');
    }
    failingWindows.set(this.#failing.size);
  }
}
