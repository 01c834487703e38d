import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import { batch, bind, each, rows, write, type Bound } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { Lease } from '../leases/operations.ts';
import { EVENT_SHARDS, MARK_PARTS, mostLiked } from './operations.ts';
import {
  countEvents,
  deleteMark,
  insertActivity,
  insertTrending,
  insertTrendingOfShard,
  LEVELS,
  selectMarks,
  selectTrendingOfShards,
  type EventCount,
  type EventMark,
  type Trend,
} from './tables.ts';
import { DAY_MS, MINUTE_MS } from '../time/units.ts';
import { lengthOf, periodOf, windowOf, windowsBetween, type Granularity } from './windows.ts';

/**
 * Counts the events: minutes from the events themselves, hours from the minutes, days from the hours, each window as a
 * whole, whenever a mark says that it may have changed. What is liked most follows from the counts.
 *
 * One server at a time counts, the one with the lease. Its write time stamps are made of the lease's epoch, so that what a
 * former holder writes after a pause loses against what the next one has written. A mark is removed only after everything
 * that follows from its minute was written: whoever takes over begins with the same marks.
 */

/** So old, a mark's event is written or never will be: a second of marking, ten of writing, and clocks that differ by ten. */
const FINAL_AFTER_MS = 25_000;
/** A window is counted again at once only after this many times as long as its last count took. */
const PAUSE_FACTOR = 10;
const MARKS_PER_READ = 1_000;
const ROWS_PER_BATCH = 100;
const AT_ONCE = 32;
const ROWS_REMEMBERED = 200_000;
const TRENDING_ROWS = 1_000;
/** A minute that is counted so long after its end is corrected. */
const LATE_MS = MINUTE_MS;

/** How long the counts of a window are kept, from its beginning; for charts longer than for adding them up. */
const KEPT_MS: Record<Granularity, number> = { MINUTE: 9 * DAY_MS, HOUR: 10 * DAY_MS, DAY: 20 * DAY_MS };
const CHARTED_MS: Record<Granularity, number | undefined> = {
  MINUTE: 9 * DAY_MS,
  HOUR: 400 * DAY_MS,
  DAY: undefined,
};
const ABOVE: Record<Granularity, Granularity | undefined> = { MINUTE: 'HOUR', HOUR: 'DAY', DAY: undefined };
const BELOW: Record<Granularity, Granularity | undefined> = { MINUTE: undefined, HOUR: 'MINUTE', DAY: 'HOUR' };

/** What "the last hour" is made of: so many windows, the one of now included. */
const TRENDING: Record<'HOUR' | 'DAY' | 'WEEK', { readonly granularity: Granularity; readonly windows: number }> = {
  HOUR: { granularity: 'MINUTE', windows: 60 },
  DAY: { granularity: 'HOUR', windows: 24 },
  WEEK: { granularity: 'DAY', windows: 7 },
};

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
  help: 'How old the oldest mark is that was not counted yet, as of the last run',
});

type Counts = ReadonlyMap<string, EventCount>;
const keyOf = ({ subject_id, kind }: Pick<EventCount, 'subject_id' | 'kind'>) => `${kind} ${subject_id}`;

/** A window of one shard. */
interface Window {
  readonly granularity: Granularity;
  readonly time: number;
  readonly shard: number;
}

const nameOf = ({ granularity, time, shard }: Window) => `${granularity} ${String(time)} ${String(shard)}`;

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
  /** Marks that were counted once and wait for their last count. */
  readonly #countedOnce = new Set<string>();
  /** When a window may be counted again at once. */
  readonly #notBefore = new LRUCache<string, number>({ max: 10_000 });
  /** What was last written as most liked. */
  readonly #written = new Map<string, string>();
  #trendingMinute = 0;

  /** @param holder an id of this server */
  constructor(holder: string) {
    this.#lease = new Lease('events', holder);
  }

  /** Counts what is marked, if this server is the one that counts. */
  async run(app: AppContext): Promise<void> {
    if (!(await this.#holds(app))) return;
    const now = app.clock().getTime();
    const parts = Array.from({ length: MARK_PARTS }, (_, part) => part);
    const marks = (
      await Promise.all(parts.map((part) => rows(app.cassandra, selectMarks, { part, rows_max: MARKS_PER_READ })))
    ).flat();
    const final = marks.filter(({ marked_at }) => marked_at.getTime() < now - FINAL_AFTER_MS);
    const fresh = marks.filter((mark) => !final.includes(mark) && !this.#countedOnce.has(mark.mark_id));
    const soon = fresh.filter(({ minute, shard }) => {
      const window = nameOf({ granularity: 'MINUTE', time: minute.getTime(), shard });
      return (this.#notBefore.get(window) ?? 0) <= now;
    });
    const oldest = Math.min(now, ...fresh.map(({ marked_at }) => marked_at.getTime()));
    lag.set((now - oldest) / 1_000);
    const shards = await this.#count(app, [...final, ...soon], now);
    await this.#rank(app, shards, now);
    for (const { mark_id } of soon) this.#countedOnce.add(mark_id);
    await pLimit(AT_ONCE).map(final, async ({ marked_at, mark_id, shard }) => {
      await write(app.cassandra, deleteMark, { part: shard % MARK_PARTS, marked_at, mark_id });
      this.#countedOnce.delete(mark_id);
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
    this.#written.clear();
    this.#trendingMinute = 0;
  }

  /** A write time stamp that is later than those of this lease so far, and of all leases before. */
  #writeTimestamp(): bigint {
    this.#sequence += 2n;
    return (BigInt(this.#epoch ?? 0) << 40n) + this.#sequence;
  }

  /**
   * Counts the minutes of some marks, and adds up what is above them.
   * @returns the shards in which something was counted
   */
  async #count(app: AppContext, marks: readonly EventMark[], now: number): Promise<Set<number>> {
    let windows = new Map<string, Window>();
    for (const { minute, shard } of marks) {
      const window: Window = { granularity: 'MINUTE', time: minute.getTime(), shard };
      windows.set(nameOf(window), window);
    }
    const shards = new Set([...windows.values()].map(({ shard }) => shard));
    while (windows.size > 0) {
      const above = new Map<string, Window>();
      await pLimit(AT_ONCE).map([...windows.values()], async (window) => {
        await this.#countWindow(app, window, now);
        const granularity = ABOVE[window.granularity];
        if (!granularity) return;
        const higher = { granularity, time: windowOf(granularity, window.time), shard: window.shard };
        above.set(nameOf(higher), higher);
      });
      windows = above;
    }
    return shards;
  }

  async #countWindow(app: AppContext, window: Window, now: number): Promise<void> {
    const { granularity, time, shard } = window;
    const begun = performance.now();
    const before = await this.#countsOf(app, window);
    const counts =
      granularity === 'MINUTE'
        ? await everyCount(each(app.cassandra, countEvents, { minute: new Date(time), shard }))
        : await this.#addUp(app, window);
    await app.atCrashPoint(`roll-up: counted ${granularity}`);
    await this.#writeWindow(app, window, before, counts, now);
    this.#known.set(nameOf(window), counts);
    windowsCounted.inc({ granularity });
    if (granularity !== 'MINUTE') return;
    if (time + MINUTE_MS + LATE_MS < now) corrections.inc();
    this.#notBefore.set(nameOf(window), now + PAUSE_FACTOR * (performance.now() - begun));
  }

  async #addUp(app: AppContext, { granularity, time, shard }: Window): Promise<Counts> {
    const below = BELOW[granularity];
    if (!below) throw new Error(`Nothing is below ${granularity}`);
    const sums = new Map<string, EventCount>();
    for (const part of windowsBetween(below, time, time + lengthOf(granularity))) {
      for (const [key, count] of await this.#countsOf(app, { granularity: below, time: part, shard })) {
        sums.set(key, { ...count, event_count: count.event_count + (sums.get(key)?.event_count ?? 0) });
      }
    }
    return sums;
  }

  /** The counts of a window as they were last written. */
  async #countsOf(app: AppContext, window: Window): Promise<Counts> {
    const known = this.#known.get(nameOf(window));
    if (known) return known;
    const { granularity, time, shard } = window;
    const { select } = LEVELS[granularity];
    const found = await everyCount(each(app.cassandra, select, { window_start: new Date(time), shard }));
    this.#known.set(nameOf(window), found);
    return found;
  }

  /** Replaces the counts of a window, and in the charts those that changed. */
  async #writeWindow(app: AppContext, window: Window, before: Counts, counts: Counts, now: number): Promise<void> {
    const { granularity, time, shard } = window;
    const write_timestamp = this.#writeTimestamp();
    const key = { window_start: new Date(time), shard };
    const ttl_seconds = Math.max(1, Math.ceil((time + KEPT_MS[granularity] - now) / 1_000));
    const { insert, clear } = LEVELS[granularity];
    const inserts = [...counts.values()].map((count) =>
      bind(insert, { ...key, ...count, write_timestamp, ttl_seconds }),
    );
    // One partition, so one mutation where it is not too large: what is counted no more goes as the rest comes.
    await inParts(app, [bind(clear, { ...key, write_timestamp: write_timestamp - 1n }), ...inserts]);
    await app.atCrashPoint(`roll-up: wrote ${granularity}`);

    const gone = [...before.values()].filter((count) => !counts.has(keyOf(count)));
    const changed = [...counts.values(), ...gone.map((count) => ({ ...count, event_count: 0 }))];
    const keptMs = CHARTED_MS[granularity];
    const kept = keptMs === undefined ? 0 : Math.max(1, Math.ceil((time + keptMs - now) / 1_000));
    const charts = Map.groupBy(changed, ({ subject_id }) => subject_id);
    await pLimit(AT_ONCE).map([...charts.values()], (ofSubject) =>
      batch(
        app.cassandra,
        ofSubject.map((count) =>
          bind(insertActivity, {
            ...count,
            granularity,
            period: periodOf(granularity, time),
            window_start: key.window_start,
            write_timestamp,
            ttl_seconds: kept,
          }),
        ),
      ),
    );
  }

  /** Brings what is liked most up to the counts, where they or the minute changed. */
  async #rank(app: AppContext, counted: ReadonlySet<number>, now: number): Promise<void> {
    const minute = windowOf('MINUTE', now);
    const isNewMinute = minute !== this.#trendingMinute;
    const shards = isNewMinute ? Array.from({ length: EVENT_SHARDS }, (_, shard) => shard) : [...counted];
    this.#trendingMinute = minute;
    for (const last of ['HOUR', 'DAY', 'WEEK'] as const) {
      let isChanged = isNewMinute;
      for (const shard of shards) {
        const likes = await this.#likesOf(app, last, shard, now);
        for (const thing of ['Book', 'Item']) {
          const top = mostLiked(likes.filter(({ subject_id }) => subject_id.startsWith(`${thing}:`)));
          const text = JSON.stringify(top);
          const name = `${last} ${thing} ${String(shard)}`;
          if (this.#written.get(name) === text) continue;
          const write_timestamp = this.#writeTimestamp();
          await write(app.cassandra, insertTrendingOfShard, { last, thing, shard, top, write_timestamp });
          this.#written.set(name, text);
          isChanged = true;
        }
      }
      if (isChanged) await this.#merge(app, last);
    }
  }

  async #likesOf(app: AppContext, last: keyof typeof TRENDING, shard: number, now: number): Promise<Trend[]> {
    const { granularity, windows } = TRENDING[last];
    const newest = windowOf(granularity, now);
    const begin = newest - (windows - 1) * lengthOf(granularity);
    const likes = new Map<string, number>();
    for (const time of windowsBetween(granularity, begin, newest + 1)) {
      for (const { subject_id, kind, event_count } of (
        await this.#countsOf(app, { granularity, time, shard })
      ).values()) {
        if (kind === 'LIKE') likes.set(subject_id, (likes.get(subject_id) ?? 0) + event_count);
      }
    }
    return [...likes].map(([subject_id, count]) => ({ subject_id, likes: count }));
  }

  async #merge(app: AppContext, last: string): Promise<void> {
    const found = await rows(app.cassandra, selectTrendingOfShards, { last, rows_max: TRENDING_ROWS });
    for (const thing of ['Book', 'Item', 'Likeable']) {
      const top = mostLiked(
        found.filter((row) => thing === 'Likeable' || row.thing === thing).flatMap((row) => row.top),
      );
      const name = `${last} ${thing}`;
      if (this.#written.get(name) === JSON.stringify(top)) continue;
      await write(app.cassandra, insertTrending, { last, thing, top, write_timestamp: this.#writeTimestamp() });
      this.#written.set(name, JSON.stringify(top));
    }
  }
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
