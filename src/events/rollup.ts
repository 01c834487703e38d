import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import { batch, bind, each, rows, write, type Bound } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { Lease } from '../leases/operations.ts';
import { DIRTY_WINDOW_PARTS, EVENT_SHARDS } from './operations.ts';
import {
  COUNTS,
  countEvents,
  deleteDirtyWindow,
  EVENT_KINDS,
  insertActivity,
  insertSiteActivity,
  insertSiteActivityOfShard,
  selectDirtyWindows,
  selectSiteActivityOfShards,
  type DirtyWindow,
  type EventCount,
  type EventKind,
} from './tables.ts';
import { Trending } from './trending.ts';
import { DAY_MS, MINUTE_MS } from '../time/units.ts';
import { lengthOf, periodOf, windowOf, windowsBetween, type Granularity, type ShardWindow } from './windows.ts';

/**
 * Counts the events: minutes from the events themselves, hours from the minutes, days from the hours, each window as a
 * whole, whenever a dirty window says that it may have changed. The charts and what is trending follow from the counts; so
 * do the counts of everything, for which each shard leaves its own sums, so that no shard is read because of another one.
 *
 * One server at a time counts, the one with the lease. Its write time stamps are made of the lease's epoch, so that what a
 * former holder writes after a pause loses against what the next one has written. A dirty window is removed only after
 * everything that follows from it was written: whoever takes over begins with the same ones.
 */

/**
 * So old, a dirty window's events are written or never will be: a second in which it is not recorded again, ten of writing,
 * and clocks that differ by ten.
 */
const FINAL_AFTER_MS = 25_000;
/** A window is counted again at once only after this many times as long as its last count took. */
const PAUSE_FACTOR = 10;
const WINDOWS_PER_READ = 1_000;
const ROWS_PER_BATCH = 100;
const AT_ONCE = 32;
const ROWS_REMEMBERED = 200_000;
/** A minute that is counted so long after its end is corrected. */
const LATE_MS = MINUTE_MS;

/** How long the counts of a window are kept, from its beginning; for charts longer than for adding them up. */
const KEPT_MS: Record<Granularity, number> = { MINUTE: 9 * DAY_MS, HOUR: 10 * DAY_MS, DAY: 20 * DAY_MS };
const CHARTED_MS: Record<Granularity, number | undefined> = { MINUTE: 9 * DAY_MS, HOUR: 400 * DAY_MS, DAY: undefined };
const ttlSeconds = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1_000));

const ABOVE: Record<Granularity, Granularity | undefined> = { MINUTE: 'HOUR', HOUR: 'DAY', DAY: undefined };
const BELOW: Record<Granularity, Granularity | undefined> = { MINUTE: undefined, HOUR: 'MINUTE', DAY: 'HOUR' };

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

type Counts = ReadonlyMap<string, EventCount>;
const keyOf = ({ subject_id, kind }: Pick<EventCount, 'subject_id' | 'kind'>) => `${kind} ${subject_id}`;

const nameOf = ({ granularity, time, shard }: ShardWindow) => `${granularity} ${String(time)} ${String(shard)}`;

/** The counting of this process. */
export const rollUp = perProcess(({ randomId }) => new RollUp(randomId()));

/** The counting of one server. */
export class RollUp {
  readonly #lease: Lease;
  /** Of the lease, when it was looked at last. */
  #epoch: number | undefined;
  #sequence = 0n;
  /** What this server has counted or read; good as long as it has the lease, when nobody else writes. */
  readonly #known = new LRUCache<string, Counts>({
    maxSize: ROWS_REMEMBERED,
    sizeCalculation: (counts) => 1 + counts.size,
  });
  /** Dirty windows that were counted once and wait for their last count. */
  readonly #countedOnce = new Set<string>();
  /** When a window may be counted again at once. */
  readonly #notBefore = new LRUCache<string, number>({ max: 10_000 });
  readonly #trending = new Trending({
    countsOf: (app, window) => this.#countsOf(app, window),
    writeTimestamp: () => this.#writeTimestamp(),
  });

  /** @param holder an id of this server */
  constructor(holder: string) {
    this.#lease = new Lease('events', holder);
  }

  /** Counts the dirty windows, if this server is the one that counts. */
  async run(app: AppContext): Promise<void> {
    if (!(await this.#holds(app))) return;
    const now = app.clock().getTime();
    const dirty = await everyDirtyWindow(app);
    const final = dirty.filter(({ recorded_at }) => recorded_at.getTime() < now - FINAL_AFTER_MS);
    const fresh = dirty.filter((window) => !final.includes(window) && !this.#countedOnce.has(window.record_id));
    const soon = fresh.filter(({ minute, shard }) => {
      const name = nameOf({ granularity: 'MINUTE', time: minute.getTime(), shard });
      return (this.#notBefore.get(name) ?? 0) <= now;
    });
    const oldest = Math.min(now, ...fresh.map(({ recorded_at }) => recorded_at.getTime()));
    lag.set((now - oldest) / 1_000);

    const counted = [...final, ...soon];
    await this.#count(app, counted, now);
    await this.#trending.update(app, new Set(counted.map(({ shard }) => shard)), now);

    for (const { record_id } of soon) this.#countedOnce.add(record_id);
    await pLimit(AT_ONCE).map(final, async ({ recorded_at, record_id, shard }) => {
      const part = shard % DIRTY_WINDOW_PARTS;
      await write(app.cassandra, deleteDirtyWindow, { part, recorded_at, record_id });
      this.#countedOnce.delete(record_id);
    });
  }

  /** Whether this server is the one that counts. */
  async #holds(app: AppContext): Promise<boolean> {
    const isHeld = await this.#lease.hold(app);
    if (this.#lease.epoch !== this.#epoch) this.#forget();
    this.#epoch = this.#lease.epoch;
    return isHeld;
  }

  /** Forgets what is only known for as long as nobody else counts. */
  #forget(): void {
    this.#sequence = 0n;
    this.#known.clear();
    this.#countedOnce.clear();
    this.#trending.forget();
  }

  /** A write time stamp that is later than those of this lease so far, and of all leases before. */
  #writeTimestamp(): bigint {
    this.#sequence += 2n;
    return (BigInt(this.#epoch ?? 0) << 40n) + this.#sequence;
  }

  /** Counts some minutes, and adds up what is above them. */
  async #count(app: AppContext, dirty: readonly DirtyWindow[], now: number): Promise<void> {
    let windows = new Map<string, ShardWindow>();
    for (const { minute, shard } of dirty) {
      const window: ShardWindow = { granularity: 'MINUTE', time: minute.getTime(), shard };
      windows.set(nameOf(window), window);
    }
    while (windows.size > 0) {
      const above = new Map<string, ShardWindow>();
      await pLimit(AT_ONCE).map([...windows.values()], async (window) => {
        await this.#countWindow(app, window, now);
        const granularity = ABOVE[window.granularity];
        if (!granularity) return;
        const higher = { granularity, time: windowOf(granularity, window.time), shard: window.shard };
        above.set(nameOf(higher), higher);
      });
      await this.#sumShards(app, [...windows.values()], now);
      windows = above;
    }
  }

  async #countWindow(app: AppContext, window: ShardWindow, now: number): Promise<void> {
    const { granularity, time, shard } = window;
    const begun = performance.now();
    const before = await this.#countsOf(app, window);
    const below = BELOW[granularity];
    const counts = below
      ? await this.#addUp(app, window, below)
      : await everyCount(each(app.cassandra, countEvents, { minute: new Date(time), shard }));
    await app.atCrashPoint(`roll-up: counted ${granularity}`);

    await this.#writeWindow(app, window, before, counts, now);
    this.#known.set(nameOf(window), counts);
    windowsCounted.inc({ granularity });
    if (below) return;

    if (time + MINUTE_MS + LATE_MS < now) corrections.inc();
    this.#notBefore.set(nameOf(window), now + PAUSE_FACTOR * (performance.now() - begun));
  }

  /** Adds up what the shards had in some windows: the counts of everything. */
  async #sumShards(app: AppContext, windows: readonly ShardWindow[], now: number): Promise<void> {
    const { cassandra } = app;
    const byName = new Map(
      windows.map(({ granularity, time }) => [`${granularity} ${String(time)}`, { granularity, time }]),
    );
    await pLimit(AT_ONCE).map([...byName.values()], async ({ granularity, time }) => {
      await app.atCrashPoint(`roll-up: summing ${granularity}`);

      const ofShards = { granularity, window_start: new Date(time), rows_max: EVENT_SHARDS * EVENT_KINDS.length };
      const sums = sumsOf(await rows(cassandra, selectSiteActivityOfShards, ofShards));
      const point = { ...placeInChart(granularity, time, now), write_timestamp: this.#writeTimestamp() };
      await batch(
        cassandra,
        sums.map((sum) => bind(insertSiteActivity, { ...point, ...sum })),
      );
    });
  }

  async #addUp(app: AppContext, { granularity, time, shard }: ShardWindow, below: Granularity): Promise<Counts> {
    const sums = new Map<string, EventCount>();
    for (const part of windowsBetween(below, time, time + lengthOf(granularity))) {
      for (const [key, count] of await this.#countsOf(app, { granularity: below, time: part, shard })) {
        sums.set(key, { ...count, event_count: count.event_count + (sums.get(key)?.event_count ?? 0) });
      }
    }
    return sums;
  }

  /** The counts of a window as they were last written. */
  async #countsOf(app: AppContext, window: ShardWindow): Promise<Counts> {
    const known = this.#known.get(nameOf(window));
    if (known) return known;

    const { granularity, time, shard } = window;
    const { select } = COUNTS[granularity];
    const found = await everyCount(each(app.cassandra, select, { window_start: new Date(time), shard }));
    this.#known.set(nameOf(window), found);
    return found;
  }

  /**
   * Replaces the counts of a window, their sums, and what the charts have of them. What a chart has is always among the
   * counts that are stored, so that whoever takes over knows what is there no more: it goes from the charts first, and what
   * is new comes to them last.
   */
  async #writeWindow(app: AppContext, window: ShardWindow, before: Counts, counts: Counts, now: number): Promise<void> {
    const { granularity, time, shard } = window;
    const write_timestamp = this.#writeTimestamp();
    const point = { ...placeInChart(granularity, time, now), write_timestamp };
    const gone = [...before.values()].filter((count) => !counts.has(keyOf(count)));
    await intoCharts(
      app,
      point,
      gone.map((count) => ({ ...count, event_count: 0 })),
    );

    const key = { window_start: new Date(time), shard };
    const stamped = { ...key, write_timestamp, ttl_seconds: ttlSeconds(time + KEPT_MS[granularity], now) };
    const { insert, clear } = COUNTS[granularity];
    const inserts = [...counts.values()].map((count) => bind(insert, { ...stamped, ...count }));
    // One partition, so one mutation where it is not too large: what is counted no more goes as the rest comes.
    await inParts(app, [...inserts, bind(clear, { ...key, write_timestamp: write_timestamp - 1n })]);
    const sums = sumsOf(counts.values()).map((sum) =>
      bind(insertSiteActivityOfShard, { granularity, ...stamped, ...sum }),
    );
    await batch(app.cassandra, sums);
    await app.atCrashPoint(`roll-up: wrote ${granularity}`);

    await intoCharts(app, point, [...counts.values()]);
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

async function everyDirtyWindow({ cassandra }: AppContext): Promise<DirtyWindow[]> {
  const parts = Array.from({ length: DIRTY_WINDOW_PARTS }, (_, part) => part);
  const read = (part: number) => rows(cassandra, selectDirtyWindows, { part, rows_max: WINDOWS_PER_READ });
  return (await Promise.all(parts.map(read))).flat();
}

async function everyCount(every: AsyncIterable<EventCount>): Promise<Counts> {
  const counts = new Map<string, EventCount>();
  for await (const count of every) counts.set(keyOf(count), count);
  return counts;
}

async function inParts({ cassandra }: AppContext, writes: readonly Bound[]): Promise<void> {
  for (let begin = 0; begin < writes.length; begin += ROWS_PER_BATCH)
    await batch(cassandra, writes.slice(begin, begin + ROWS_PER_BATCH));
}
