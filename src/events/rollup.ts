import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import { atMost } from '../cassandra/concurrency-limit.ts';
import { isAboutStoredData } from '../cassandra/errors.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { serverClock } from '../clocks/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { Lease } from '../leases/operations.ts';
import { countWindow, eventCountOf, storedCounts, type Counts } from './counts.ts';
import { dirtyWindows, isClosed, nameOf as bucketNameOf, Sweep, windowsIn, type DirtyBucket } from './dirty-windows.ts';
import { EVENT_SHARDS, KEPT_MS as EVENTS_KEPT_MS } from './operations.ts';
import {
  COUNTS,
  EVENT_KINDS,
  EVENT_KINDS_MAX,
  insertActivity,
  insertSiteActivity,
  insertSiteActivityOfShard,
  selectSiteActivityOfShards,
  type EventCount,
} from './tables.ts';
import { Trending } from './trending.ts';
import { waitAfter } from '../time/backoff.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts';
import { nameOf, periodOf, windowOf, type Granularity, type ShardWindow } from './windows.ts';

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

/** The minimum pause between two counts of a window, as a multiple of the last count's duration. */
const PAUSE_FACTOR = 10;
/** The maximum number of closed buckets that one run counts for the last time and deletes. */
const BUCKETS_AT_ONCE = 32;
const ROWS_PER_BATCH = 100;
const AT_ONCE = 32;
/** The minimum size of a large window. Few of them are written concurrently, to save memory. */
const LARGE_COUNTS = 300;
const LARGE_AT_ONCE = 3;
/** The maximum number of counts in memory; they take 10 MB. */
const ROWS_REMEMBERED = 100_000;
/** The time after the end of a minute from which a count of it is a correction. */
const LATE_MS = MINUTE_MS;

/**
 * The time for which the counts of a window are kept, from its beginning. They are needed for
 * adding them up; the counts in charts are kept longer.
 */
const KEPT_MS: Record<Granularity, number> = { MINUTE: 9 * DAY_MS, HOUR: 10 * DAY_MS, DAY: 20 * DAY_MS };
const CHARTED_MS: Record<Granularity, number | undefined> = { MINUTE: 9 * DAY_MS, HOUR: 400 * DAY_MS, DAY: undefined };
const ttlSeconds = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1_000));

const ABOVE: Record<Granularity, Granularity | undefined> = { MINUTE: 'HOUR', HOUR: 'DAY', DAY: undefined };

const windowsCounted = new Counter({
  name: 'rollup_windows_total',
  help: 'Windows of events that were counted, by their length',
  labelNames: ['granularity'],
});
const corrections = new Counter({
  name: 'rollup_corrections_total',
  help: 'Minutes that were counted again because an event arrived more than a minute late',
});
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

/** A window to be counted, and the names of the dirty minutes that require it. */
interface ToCount {
  readonly window: ShardWindow;
  readonly because: Set<string>;
  /** True if a bucket with the window is about to be deleted. */
  readonly isLast: boolean;
  /** The keys of all counts of those minutes that are counted for the last time. */
  readonly keysOfMinutes: Set<string>;
}

/** The counts of a window. */
interface Known {
  readonly counts: Counts;
  /** True if this server has written the counts, including the charts. */
  readonly isWritten: boolean;
}

/** A change of the counts of a window. */
interface Change {
  readonly before: Counts;
  /**
   * The counts that are stored and in the charts; `undefined` if they are unknown or may be wrong.
   */
  readonly charted: Counts | undefined;
  readonly counts: Counts;
}

/** The roll-up of one server. */
export class RollUp {
  readonly #lease: Lease;
  #sequence = 0n;
  readonly #fewAtOnce = atMost(LARGE_AT_ONCE);
  readonly #sweep = new Sweep();
  /**
   * The counts that this server has counted or read. They are valid while it holds the lease,
   * because no other server writes then.
   */
  readonly #known = new LRUCache<string, Known>({
    maxSize: ROWS_REMEMBERED,
    sizeCalculation: ({ counts }) => 1 + counts.size,
  });
  /** The dirty windows, by bucket, that were counted once and wait for their last count. */
  readonly #countedOnce = new Map<string, Set<string>>();
  /** The earliest moment at which a window may be counted again. */
  readonly #notBefore = new LRUCache<string, number>({ max: 10_000 });
  /** The minutes whose events Cassandra could not count in one statement. */
  readonly #large = new LRUCache<string, true>({ max: 1_000 });
  readonly #failing = new Map<string, { readonly failures: number; readonly notBefore: number }>();
  readonly #trending = new Trending({
    countsOf: async (app, window) => (await this.#knownOf(app, window)).counts,
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

    const soon = [...fresh.windows].filter(([name]) => (this.#notBefore.get(name) ?? 0) <= now);
    const due = [...final.windows, ...soon].filter(([name]) => (this.#failing.get(name)?.notBefore ?? 0) <= now);
    const toCount = new Map(due);
    const failed = await this.#count(app, toCount, final.windows, now, ended);
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
    await pLimit(AT_ONCE).map(uncounted, ([, { time, shard }]) => dirtyWindows(app).record(app, new Date(time), shard));
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
        'the time up to which events are recorded as counted is in the future, because clocks were ahead; all records are read again',
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
    await pLimit(AT_ONCE).map(places, async (place) => {
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
    this.#known.clear();
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

  /**
   * Counts some minutes, and adds up the windows above them.
   * @param last the minutes that are counted for the last time, by their names
   * @returns the errors by the names of the minutes that could not be counted, or whose windows
   *   above could not be counted
   */
  async #count(
    app: AppContext,
    minutes: ReadonlyMap<string, ShardWindow>,
    last: Pick<ReadonlyMap<string, ShardWindow>, 'has'>,
    now: number,
    ended: AbortSignal,
  ): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>();
    let windows = new Map<string, ToCount>(
      [...minutes].map(([name, window]) => [
        name,
        { window, because: new Set([name]), isLast: last.has(name), keysOfMinutes: new Set() },
      ]),
    );
    while (windows.size > 0) {
      const counted: ToCount[] = [];
      await pLimit(AT_ONCE).map([...windows.values()], async (each) => {
        ended.throwIfAborted();
        if (await attempt(each.because, failed, () => this.#countWindow(app, each, now))) counted.push(each);
      });
      await this.#sumShards(app, counted, now, failed);

      windows = new Map();
      for (const { window, because, isLast, keysOfMinutes } of counted) {
        const granularity = ABOVE[window.granularity];
        if (!granularity) continue;
        const higher = { granularity, time: windowOf(granularity, window.time), shard: window.shard };
        const before = windows.get(nameOf(higher));
        windows.set(nameOf(higher), {
          window: higher,
          because: new Set([...(before?.because ?? []), ...because]),
          isLast: isLast || (before?.isLast ?? false),
          keysOfMinutes: new Set([...(before?.keysOfMinutes ?? []), ...keysOfMinutes]),
        });
      }
    }
    return failed;
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

  async #countWindow(app: AppContext, { window, isLast, keysOfMinutes }: ToCount, now: number): Promise<void> {
    const { granularity, time } = window;
    const begun = performance.now();
    const known = await this.#knownOf(app, window);
    const before = isLast && known.isWritten ? await storedCounts(app, window) : known.counts;
    const knownOf = async (part: ShardWindow) => (await this.#knownOf(app, part)).counts;
    const counts = await countWindow(app, window, this.#large, knownOf);
    await app.atCrashPoint(`roll-up: counted ${granularity}`);

    const isLastOfMinute = isLast && granularity === 'MINUTE';
    if (isLastOfMinute) for (const key of [...before.keys(), ...counts.keys()]) keysOfMinutes.add(key);
    const charted = known.isWritten && !isLastOfMinute ? without(before, keysOfMinutes) : undefined;
    // Until the whole window is written, the stored part is unknown.
    this.#known.delete(nameOf(window));
    const write = () => this.#writeWindow(app, window, { before, charted, counts }, now);
    await (counts.size > LARGE_COUNTS ? this.#fewAtOnce(write) : write());
    this.#known.set(nameOf(window), { counts, isWritten: true });
    windowsCounted.inc({ granularity });
    if (granularity !== 'MINUTE') return;

    if (time + MINUTE_MS + LATE_MS < now) corrections.inc();
    this.#notBefore.set(nameOf(window), now + PAUSE_FACTOR * (performance.now() - begun));
  }

  /** Adds up the shards' sums in some windows to the counts of the whole site. */
  async #sumShards(
    app: AppContext,
    counted: readonly ToCount[],
    now: number,
    failed: Map<string, unknown>,
  ): Promise<void> {
    const { cassandra } = app;
    const byTime = Map.groupBy(counted, ({ window }) => window.time);
    await pLimit(AT_ONCE).map([...byTime], async ([time, ofTime]) => {
      const granularity = ofTime[0]?.window.granularity;
      if (!granularity) return;
      const because = new Set(ofTime.flatMap((each) => [...each.because]));
      await attempt(because, failed, async () => {
        await app.atCrashPoint(`roll-up: summing ${granularity}`);

        const ofShards = { granularity, window_start: new Date(time), rows_max: EVENT_SHARDS * EVENT_KINDS_MAX };
        const sums = sumsOf(await rows(cassandra, selectSiteActivityOfShards, ofShards));
        const point = { ...placeInChart(granularity, time, now), version: this.#writeTimestamp() };
        await batch(
          cassandra,
          sums.map((sum) => bind(insertSiteActivity, { ...point, ...sum })),
        );
      });
    });
  }

  /** Returns the counts of a window as they were last written. */
  async #knownOf(app: AppContext, window: ShardWindow): Promise<Known> {
    const known = this.#known.get(nameOf(window));
    if (known) return known;

    const found = { counts: await storedCounts(app, window), isWritten: false };
    this.#known.set(nameOf(window), found);
    return found;
  }

  /**
   * Replaces the counts of a window, their sums, and their part in the charts. A count in a chart
   * is always among the stored counts, so that the next holder can find counts to remove. Therefore
   * old counts are first removed from the charts, and new counts are added to the charts last.
   */
  async #writeWindow(app: AppContext, window: ShardWindow, change: Change, now: number): Promise<void> {
    const { before, charted, counts } = change;
    const { granularity, time, shard } = window;
    const version = this.#writeTimestamp();
    const point = { ...placeInChart(granularity, time, now), version };
    const gone = [...before.keys()].filter((key) => !counts.has(key));
    await intoCharts(
      app,
      point,
      gone.map((key) => eventCountOf([key, 0])),
    );

    const all = [...counts].map(eventCountOf);
    const changed = charted ? [...counts].filter(([key, count]) => charted.get(key) !== count).map(eventCountOf) : all;
    const key = { window_start: new Date(time), shard };
    const stamped = { ...key, version, ttl_seconds: ttlSeconds(time + KEPT_MS[granularity], now) };
    const { insert, clear } = COUNTS[granularity];
    const isReplaced = !charted || gone.length > 0;
    const written = isReplaced ? all : changed;
    const inserts = written.map((count) => bind(insert, { ...stamped, ...count }));
    // All rows are in one partition, so the batch is one mutation unless it is too large. It
    // removes old counts and writes the others together.
    const clears = isReplaced ? [bind(clear, { ...key, version: version - 1n })] : [];
    await inParts(app, [...inserts, ...clears]);
    const sums = sumsOf(all).map((sum) => bind(insertSiteActivityOfShard, { granularity, ...stamped, ...sum }));
    await batch(app.cassandra, sums);
    await app.atCrashPoint(`roll-up: wrote ${granularity}`);

    await intoCharts(app, point, changed);
  }
}

/** Returns counts without some of their keys. */
function without(counts: Counts, keys: ReadonlySet<string>): Counts {
  if (keys.size === 0) return counts;
  const left = new Map(counts);
  for (const key of keys) left.delete(key);
  return left;
}

/** Returns the place of a window in charts, and the time for which it is kept there. */
function placeInChart(granularity: Granularity, time: number, now: number) {
  const chartedMs = CHARTED_MS[granularity];
  return {
    granularity,
    period: periodOf(granularity, time),
    window_start: new Date(time),
    ttl_seconds: chartedMs === undefined ? 0 : ttlSeconds(time + chartedMs, now),
  };
}

/** Writes the counts of each subject and kind into the charts. */
async function intoCharts(
  { cassandra }: AppContext,
  point: ReturnType<typeof placeInChart> & { readonly version: bigint },
  counts: readonly EventCount[],
): Promise<void> {
  const bySubject = Map.groupBy(counts, ({ subject_id }) => subject_id);
  await pLimit(AT_ONCE).map([...bySubject.values()], (ofSubject) => {
    const points = ofSubject.map((count) => bind(insertActivity, { ...count, ...point }));
    return batch(cassandra, points);
  });
}

/** Returns the sum of every kind, including those with none. */
function sumsOf(counts: Iterable<{ kind: string; event_count: number }>): { kind: string; event_count: number }[] {
  const sums = new Map<string, number>(EVENT_KINDS.map((kind) => [kind, 0]));
  for (const { kind, event_count } of counts) sums.set(kind, (sums.get(kind) ?? 0) + event_count);
  return [...sums].map(([kind, event_count]) => ({ kind, event_count }));
}

/**
 * Does the work that some minutes require.
 * @param failed receives these minutes with the error if the work failed
 * @returns true if the work was done
 */
async function attempt(
  because: ReadonlySet<string>,
  failed: Map<string, unknown>,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isAboutStoredData(error)) throw error;
    for (const name of because) failed.set(name, error);
    return false;
  }
}

async function inParts({ cassandra }: AppContext, writes: readonly Bound[]): Promise<void> {
  for (let begin = 0; begin < writes.length; begin += ROWS_PER_BATCH)
    await batch(cassandra, writes.slice(begin, begin + ROWS_PER_BATCH));
}
