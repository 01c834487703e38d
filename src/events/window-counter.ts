import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import { atMost } from '../cassandra/concurrency-limit.ts';
import { isAboutStoredData } from '../cassandra/errors.ts';
import type { AppContext } from '../context/context.ts';
import { MINUTE_MS } from '../time/units.ts';
import { countWindow, storedCounts, type Counts } from './counts.ts';
import { sumShards, writeWindow } from './window-writes.ts';
import { nameOf, windowOf, WINDOWS_AT_ONCE, type Granularity, type ShardWindow } from './windows.ts';

/** Counts dirty minutes and the windows above them, for the server that holds the lease. */

/** The minimum pause between two counts of a window, as a multiple of the last count's duration. */
const PAUSE_FACTOR = 10;
/** The minimum size of a large window. Few of them are written concurrently, to save memory. */
const LARGE_COUNTS = 300;
const LARGE_AT_ONCE = 3;
/** The maximum number of counts in memory; they take 10 MB. */
const ROWS_REMEMBERED = 100_000;
/** The time after the end of a minute from which a count of it is a correction. */
const LATE_MS = MINUTE_MS;

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

/** Counts the windows for one server, and remembers their counts. */
export class WindowCounter {
  readonly #writeTimestamp: () => bigint;
  readonly #fewAtOnce = atMost(LARGE_AT_ONCE);
  /**
   * The counts that this server has counted or read. They are valid while it holds the lease,
   * because no other server writes then.
   */
  readonly #known = new LRUCache<string, Known>({
    maxSize: ROWS_REMEMBERED,
    sizeCalculation: ({ counts }) => 1 + counts.size,
  });
  /** The earliest moment at which a window may be counted again. */
  readonly #notBefore = new LRUCache<string, number>({ max: 10_000 });
  /** The minutes whose events Cassandra could not count in one statement. */
  readonly #large = new LRUCache<string, true>({ max: 1_000 });

  /** @param writeTimestamp returns a write timestamp later than all earlier ones */
  constructor(writeTimestamp: () => bigint) {
    this.#writeTimestamp = writeTimestamp;
  }

  /** Clears everything that is valid only while no other server counts. */
  forget(): void {
    this.#known.clear();
  }

  /** Returns the earliest moment at which a window may be counted again. */
  notBefore = (name: string): number => this.#notBefore.get(name) ?? 0;

  /** Returns the counts of a window as they were last written. */
  async countsOf(app: AppContext, window: ShardWindow): Promise<Counts> {
    return (await this.#knownOf(app, window)).counts;
  }

  /**
   * Counts some minutes, and adds up the windows above them.
   * @param last the minutes that are counted for the last time, by their names
   * @returns the errors by the names of the minutes that could not be counted, or whose windows
   *   above could not be counted
   */
  async count(
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
      await pLimit(WINDOWS_AT_ONCE).map([...windows.values()], async (each) => {
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

  async #countWindow(app: AppContext, { window, isLast, keysOfMinutes }: ToCount, now: number): Promise<void> {
    const { granularity, time } = window;
    const begun = performance.now();
    const known = await this.#knownOf(app, window);
    const before = isLast && known.isWritten ? await storedCounts(app, window) : known.counts;
    const counts = await countWindow(app, window, this.#large, (part) => this.countsOf(app, part));
    await app.atCrashPoint(`roll-up: counted ${granularity}`);

    const isLastOfMinute = isLast && granularity === 'MINUTE';
    if (isLastOfMinute) for (const key of [...before.keys(), ...counts.keys()]) keysOfMinutes.add(key);
    const charted = known.isWritten && !isLastOfMinute ? without(before, keysOfMinutes) : undefined;
    // Until the whole window is written, the stored part is unknown.
    this.#known.delete(nameOf(window));
    const write = () => writeWindow(app, window, { before, charted, counts }, { version: this.#writeTimestamp(), now });
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
    const byTime = Map.groupBy(counted, ({ window }) => window.time);
    await pLimit(WINDOWS_AT_ONCE).map([...byTime], async ([time, ofTime]) => {
      const granularity = ofTime[0]?.window.granularity;
      if (!granularity) return;
      const because = new Set(ofTime.flatMap((each) => [...each.because]));
      await attempt(because, failed, async () => {
        await app.atCrashPoint(`roll-up: summing ${granularity}`);
        await sumShards(app, { granularity, time }, this.#writeTimestamp, now);
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
}

/** Returns counts without some of their keys. */
function without(counts: Counts, keys: ReadonlySet<string>): Counts {
  if (keys.size === 0) return counts;
  const left = new Map(counts);
  for (const key of keys) left.delete(key);
  return left;
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
