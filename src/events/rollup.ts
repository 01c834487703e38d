import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import { atMost } from '../cassandra/at-once.ts';
import { isOfWhatIsStored } from '../cassandra/errors.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { serverClock } from '../clocks/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { Lease } from '../leases/operations.ts';
import { addedUp, countMinute, eventCountOf, storedCounts, type Counts } from './counts.ts';
import { dirtyWindows, isClosed, nameOf as bucketNameOf, Sweep, windowsIn, type DirtyBucket } from './dirty-windows.ts';
import { EVENT_SHARDS, KEPT_MS as EVENTS_KEPT_MS } from './operations.ts';
import {
  COUNTS,
  EVENT_KINDS,
  insertActivity,
  insertSiteActivity,
  insertSiteActivityOfShard,
  selectSiteActivityOfShards,
  type EventCount,
  type EventKind,
} from './tables.ts';
import { Trending } from './trending.ts';
import { waitAfter } from '../time/backoff.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts';
import {
  BELOW,
  lengthOf,
  nameOf,
  periodOf,
  windowOf,
  windowsBetween,
  type Granularity,
  type ShardWindow,
} from './windows.ts';

/**
 * Counts the events: minutes from the events themselves, hours from the minutes, days from the hours, each window as a
 * whole, whenever a dirty window says that it may have changed. The charts and what is trending follow from the counts; so
 * do the counts of everything, for which each shard leaves its own sums, so that no shard is read because of another one.
 *
 * One server at a time counts, the one with the lease. Its write time stamps are made of the lease's epoch, so that what a
 * former holder writes after a pause loses against what the next one has written. A bucket of dirty windows is struck out only
 * after everything that follows from them was written: whoever takes over begins with the same ones.
 *
 * While more may come, only what has changed is written; the last count of a bucket's windows writes them as a whole, whatever this
 * server believes to be there.
 *
 * A window that cannot be counted holds up no other: it stays dirty, in a later bucket if need be, and is tried again.
 */

/** A window is counted again at once only after this many times as long as its last count took. */
const PAUSE_FACTOR = 10;
/** Of those that are closed, so many are counted a last time at once, and struck out. */
const BUCKETS_AT_ONCE = 32;
const ROWS_PER_BATCH = 100;
const AT_ONCE = 32;
/** Windows of more counts are written a few at once: all that is to be written of one is in memory. */
const LARGE_COUNTS = 300;
const LARGE_AT_ONCE = 3;
/** Of counts; 10 MB. */
const ROWS_REMEMBERED = 100_000;
/** A minute that is counted so long after its end is corrected. */
const LATE_MS = MINUTE_MS;

/** How long the counts of a window are kept, from its beginning; for charts longer than for adding them up. */
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
  help: 'Minutes that were counted again because an event came more than a minute late',
});
const lag = new Gauge({
  name: 'rollup_lag_seconds',
  help: 'How old the oldest dirty window is that was not counted yet, as of the last run',
});
const sweptAhead = new Gauge({
  name: 'rollup_swept_ahead_seconds',
  help: 'How far ahead of now the moment is up to which events are said to be counted; above 0 after the clocks were ahead',
});
const failingWindows = new Gauge({
  name: 'rollup_windows_failing',
  help: 'Minutes of shards that could not be counted when that was tried last; they are tried again',
});

/** The counting of this process. */
export const rollUp = perProcess(({ randomId }) => new RollUp(randomId()));

/** A window that is to be counted, and the names of the minutes because of which it is. */
interface ToCount {
  readonly window: ShardWindow;
  readonly because: Set<string>;
  /** Whether a bucket that has it is about to be struck out. */
  readonly isLast: boolean;
}

/** What a window has. */
interface Known {
  readonly counts: Counts;
  /** Whether this server has written them, charts included. */
  readonly isWritten: boolean;
}

/** How the counts of a window change. */
interface Change {
  readonly before: Counts;
  /** Those that are stored and in the charts already; `undefined` where that is not known, or not relied on. */
  readonly charted: Counts | undefined;
  readonly counts: Counts;
}

/** The counting of one server. */
export class RollUp {
  readonly #lease: Lease;
  #sequence = 0n;
  readonly #fewAtOnce = atMost(LARGE_AT_ONCE);
  readonly #sweep = new Sweep();
  /** What this server has counted or read; good as long as it has the lease, when nobody else writes. */
  readonly #known = new LRUCache<string, Known>({
    maxSize: ROWS_REMEMBERED,
    sizeCalculation: ({ counts }) => 1 + counts.size,
  });
  /** Of each bucket, the dirty windows that were counted once and wait for their last count. */
  readonly #countedOnce = new Map<string, Set<string>>();
  /** When a window may be counted again at once. */
  readonly #notBefore = new LRUCache<string, number>({ max: 10_000 });
  /** Minutes of which Cassandra could not count the events in the time of one statement. */
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

  /** Counts the dirty windows, if this server is the one that counts. */
  async run(app: AppContext): Promise<void> {
    const isHeld = await this.#lease.beginRun(app, () => this.#forget());
    if (!isHeld) return;
    await this.#lease.during(app, async (lost) => {
      try {
        await this.#countDirty(app, lost);
      } catch (error) {
        // Whoever has the lease now counts the same windows.
        if (!lost.aborted) throw error;
      }
    });
  }

  async #countDirty(app: AppContext, lost: AbortSignal): Promise<void> {
    const now = app.clock().getTime();
    // By a clock that was set since the run began, what is open would look closed, and be struck out.
    if (serverClock(app).isWrong(app)) return;
    const found = await this.#sweep.find(app, now);
    this.#tellOfSweep(app, now);
    const closed = found.filter((place) => isClosed(place, now)).slice(0, BUCKETS_AT_ONCE);
    const open = found.filter((place) => !isClosed(place, now));
    const final = await this.#windowsOf(app, closed, now);
    const fresh = await this.#windowsOf(app, open, now);
    lag.set((now - Math.min(now, ...[...final.oldest, ...fresh.oldest])) / 1_000);

    const soon = [...fresh.windows].filter(([name]) => (this.#notBefore.get(name) ?? 0) <= now);
    const due = [...final.windows, ...soon].filter(([name]) => (this.#failing.get(name)?.notBefore ?? 0) <= now);
    const toCount = new Map(due);
    const failed = await this.#count(app, toCount, final.windows, now, lost);
    this.#note(app, toCount, failed);
    await this.#trending.update(app, new Set([...toCount.values()].map(({ shard }) => shard)), now);

    const isCounted = (name: string) => toCount.has(name) && !failed.has(name);
    for (const { bucket, id, name } of fresh.records) {
      const ofBucket = this.#countedOnce.get(bucket) ?? new Set();
      if (isCounted(name)) this.#countedOnce.set(bucket, ofBucket.add(id));
    }
    // Also where this process stood still: the next holder may not have counted yet what came meanwhile.
    if (!(await this.#lease.keep(app))) return;
    lost.throwIfAborted();
    // What could not be counted stays dirty, where it holds up nothing.
    const uncounted = [...final.windows].filter(([name]) => !isCounted(name));
    await pLimit(AT_ONCE).map(uncounted, ([, { time, shard }]) => dirtyWindows(app).record(app, new Date(time), shard));
    const done = closed.filter((place) => !final.unreadable.has(place));
    const left = found.filter((place) => !done.includes(place));
    await this.#sweep.strikeOut(app, done, left, now);
    for (const place of done) this.#countedOnce.delete(bucketNameOf(place));
  }

  #tellOfSweep({ logger }: AppContext, now: number): void {
    const aheadMs = this.#sweep.aheadMs(now);
    sweptAhead.set(aheadMs / 1_000);
    if (aheadMs > 0)
      logger.fatal(
        { aheadMs },
        'events are said to be counted up to a moment that is still to come: the clocks were ahead; all that is recorded is looked at again',
      );
  }

  /** The dirty windows of some buckets that were not counted once already, each window once; and of which records they are. */
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
          // Its events have gone, or soon will have: what was counted of them stays.
          if (minute.getTime() < now - EVENTS_KEPT_MS + HOUR_MS) continue;
          const window: ShardWindow = { granularity: 'MINUTE', time: minute.getTime(), shard };
          windows.set(nameOf(window), window);
          if (!isCountedOnce) oldest.add(recorded_at.getTime());
          if (!isLast) records.push({ bucket, id: record_id, name: nameOf(window) });
        }
      } catch (error) {
        if (!isOfWhatIsStored(error)) throw error;
        app.logger.error({ err: error, bucket }, 'dirty windows could not be read; they are tried again');
        unreadable.add(place);
      }
    });
    return { windows, records, unreadable, oldest };
  }

  /** Forgets what is only known for as long as nobody else counts. */
  #forget(): void {
    this.#sequence = 0n;
    this.#known.clear();
    this.#countedOnce.clear();
    this.#failing.clear();
    this.#sweep.forget();
    this.#trending.forget();
  }

  /** A write time stamp that is later than those of this lease so far, and of all leases before. */
  #writeTimestamp(): bigint {
    this.#sequence += 2n;
    return (BigInt(this.#lease.runEpoch ?? 0) << 40n) + this.#sequence;
  }

  /**
   * Counts some minutes, and adds up what is above them.
   * @param last those whose last count it is, by their names
   * @returns the names of those that could not be counted, or what is above them, and why
   */
  async #count(
    app: AppContext,
    minutes: ReadonlyMap<string, ShardWindow>,
    last: Pick<ReadonlyMap<string, ShardWindow>, 'has'>,
    now: number,
    lost: AbortSignal,
  ): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>();
    let windows = new Map<string, ToCount>(
      [...minutes].map(([name, window]) => [name, { window, because: new Set([name]), isLast: last.has(name) }]),
    );
    while (windows.size > 0) {
      const counted: ToCount[] = [];
      await pLimit(AT_ONCE).map([...windows.values()], async (each) => {
        lost.throwIfAborted();
        if (await attempt(each.because, failed, () => this.#countWindow(app, each, now))) counted.push(each);
      });
      await this.#sumShards(app, counted, now, failed);

      windows = new Map();
      for (const { window, because, isLast } of counted) {
        const granularity = ABOVE[window.granularity];
        if (!granularity) continue;
        const higher = { granularity, time: windowOf(granularity, window.time), shard: window.shard };
        const before = windows.get(nameOf(higher));
        windows.set(nameOf(higher), {
          window: higher,
          because: new Set([...(before?.because ?? []), ...because]),
          isLast: isLast || (before?.isLast ?? false),
        });
      }
    }
    return failed;
  }

  /** Notes when what could not be counted is tried again. */
  #note(app: AppContext, tried: ReadonlyMap<string, ShardWindow>, failed: ReadonlyMap<string, unknown>): void {
    for (const name of tried.keys()) {
      if (!failed.has(name)) {
        this.#failing.delete(name);
        continue;
      }
      const failures = (this.#failing.get(name)?.failures ?? 0) + 1;
      const waitMs = waitAfter(failures);
      this.#failing.set(name, { failures, notBefore: app.clock().getTime() + waitMs });
      const about = { err: failed.get(name), window: name, failures, waitMs };
      app.logger.error(about, 'a minute of events could not be counted; it is tried again');
    }
    failingWindows.set(this.#failing.size);
  }

  async #countWindow(app: AppContext, { window, isLast }: ToCount, now: number): Promise<void> {
    const { granularity, time } = window;
    const begun = performance.now();
    const before = await this.#knownOf(app, window);
    const below = BELOW[granularity];
    const counts = below ? await this.#addUp(app, window, below) : await countMinute(app, window, this.#large);
    await app.atCrashPoint(`roll-up: counted ${granularity}`);

    const charted = before.isWritten && !isLast ? before.counts : undefined;
    // Until all is written, how much of it is there is not known.
    this.#known.delete(nameOf(window));
    const write = () => this.#writeWindow(app, window, { before: before.counts, charted, counts }, now);
    await (counts.size > LARGE_COUNTS ? this.#fewAtOnce(write) : write());
    this.#known.set(nameOf(window), { counts, isWritten: true });
    windowsCounted.inc({ granularity });
    if (below) return;

    if (time + MINUTE_MS + LATE_MS < now) corrections.inc();
    this.#notBefore.set(nameOf(window), now + PAUSE_FACTOR * (performance.now() - begun));
  }

  /** Adds up what the shards had in some windows: the counts of everything. */
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

        const ofShards = { granularity, window_start: new Date(time), rows_max: EVENT_SHARDS * EVENT_KINDS.length };
        const sums = sumsOf(await rows(cassandra, selectSiteActivityOfShards, ofShards));
        const point = { ...placeInChart(granularity, time, now), write_timestamp: this.#writeTimestamp() };
        await batch(
          cassandra,
          sums.map((sum) => bind(insertSiteActivity, { ...point, ...sum })),
        );
      });
    });
  }

  async #addUp(app: AppContext, { granularity, time, shard }: ShardWindow, below: Granularity): Promise<Counts> {
    const parts: Counts[] = [];
    for (const part of windowsBetween(below, time, time + lengthOf(granularity)))
      parts.push((await this.#knownOf(app, { granularity: below, time: part, shard })).counts);
    return addedUp(parts);
  }

  /** The counts of a window as they were last written. */
  async #knownOf(app: AppContext, window: ShardWindow): Promise<Known> {
    const known = this.#known.get(nameOf(window));
    if (known) return known;

    const found = { counts: await storedCounts(app, window), isWritten: false };
    this.#known.set(nameOf(window), found);
    return found;
  }

  /**
   * Replaces the counts of a window, their sums, and what the charts have of them. What a chart has is always among the
   * counts that are stored, so that whoever takes over knows what is there no more: it goes from the charts first, and what
   * is new comes to them last.
   */
  async #writeWindow(app: AppContext, window: ShardWindow, change: Change, now: number): Promise<void> {
    const { before, charted, counts } = change;
    const { granularity, time, shard } = window;
    const write_timestamp = this.#writeTimestamp();
    const point = { ...placeInChart(granularity, time, now), write_timestamp };
    const gone = [...before.keys()].filter((key) => !counts.has(key));
    await intoCharts(
      app,
      point,
      gone.map((key) => eventCountOf([key, 0])),
    );

    const all = [...counts].map(eventCountOf);
    const changed = charted ? [...counts].filter(([key, count]) => charted.get(key) !== count).map(eventCountOf) : all;
    const key = { window_start: new Date(time), shard };
    const stamped = { ...key, write_timestamp, ttl_seconds: ttlSeconds(time + KEPT_MS[granularity], now) };
    const { insert, clear } = COUNTS[granularity];
    const isReplaced = !charted || gone.length > 0;
    const written = isReplaced ? all : changed;
    const inserts = written.map((count) => bind(insert, { ...stamped, ...count }));
    // One partition, so one mutation where it is not too large: what is counted no more goes as the rest comes.
    const clears = isReplaced ? [bind(clear, { ...key, write_timestamp: write_timestamp - 1n })] : [];
    await inParts(app, [...inserts, ...clears]);
    const sums = sumsOf(all).map((sum) => bind(insertSiteActivityOfShard, { granularity, ...stamped, ...sum }));
    await batch(app.cassandra, sums);
    await app.atCrashPoint(`roll-up: wrote ${granularity}`);

    await intoCharts(app, point, changed);
  }
}

/** Where a window is in charts, and how long. */
function placeInChart(granularity: Granularity, time: number, now: number) {
  const chartedMs = CHARTED_MS[granularity];
  return {
    granularity,
    period: periodOf(granularity, time),
    window_start: new Date(time),
    ttl_seconds: chartedMs === undefined ? 0 : ttlSeconds(time + chartedMs, now),
  };
}

/** Writes how many there were of each subject and kind. */
async function intoCharts(
  { cassandra }: AppContext,
  point: ReturnType<typeof placeInChart> & { readonly write_timestamp: bigint },
  counts: readonly EventCount[],
): Promise<void> {
  const bySubject = Map.groupBy(counts, ({ subject_id }) => subject_id);
  await pLimit(AT_ONCE).map([...bySubject.values()], (ofSubject) => {
    const points = ofSubject.map((count) => bind(insertActivity, { ...count, ...point }));
    return batch(cassandra, points);
  });
}

/** How many there were of every kind, those included of which there were none. */
function sumsOf(
  counts: Iterable<{ kind: EventKind; event_count: number }>,
): { kind: EventKind; event_count: number }[] {
  const sums = new Map(EVENT_KINDS.map((kind) => [kind, 0]));
  for (const { kind, event_count } of counts) sums.set(kind, (sums.get(kind) ?? 0) + event_count);
  return [...sums].map(([kind, event_count]) => ({ kind, event_count }));
}

/**
 * Does something for the sake of some minutes.
 * @param failed gets them with the error, where that could not be done
 * @returns whether it was done
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
    if (!isOfWhatIsStored(error)) throw error;
    for (const name of because) failed.set(name, error);
    return false;
  }
}

async function inParts({ cassandra }: AppContext, writes: readonly Bound[]): Promise<void> {
  for (let begin = 0; begin < writes.length; begin += ROWS_PER_BATCH)
    await batch(cassandra, writes.slice(begin, begin + ROWS_PER_BATCH));
}
