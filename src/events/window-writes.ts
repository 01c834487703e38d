import pLimit from 'p-limit';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { DAY_MS } from '../time/units.ts';
import { eventCountOf, type Counts } from './counts.ts';
import { EVENT_SHARDS } from './operations.ts';
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
import { periodOf, WINDOWS_AT_ONCE, type Granularity, type ShardWindow } from './windows.ts';

/** Writes the counts of windows, the charts, and the counts of the whole site. */

const ROWS_PER_BATCH = 100;

/**
 * The time for which the counts of a window are kept, from its beginning. They are needed for
 * adding them up; the counts in charts are kept longer.
 */
const KEPT_MS: Record<Granularity, number> = { MINUTE: 9 * DAY_MS, HOUR: 10 * DAY_MS, DAY: 20 * DAY_MS };
const CHARTED_MS: Record<Granularity, number | undefined> = { MINUTE: 9 * DAY_MS, HOUR: 400 * DAY_MS, DAY: undefined };
const ttlSeconds = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1_000));

/** A change of the counts of a window. */
export interface Change {
  readonly before: Counts;
  /**
   * The counts that are stored and in the charts; `undefined` if they are unknown or may be wrong.
   */
  readonly charted: Counts | undefined;
  readonly counts: Counts;
}

/**
 * Replaces the counts of a window, their sums, and their part in the charts. A count in a chart
 * is always among the stored counts, so that the next holder can find counts to remove. Therefore
 * old counts are first removed from the charts, and new counts are added to the charts last.
 * @param version a write timestamp later than all earlier ones
 */
export async function writeWindow(
  app: AppContext,
  { granularity, time, shard }: ShardWindow,
  { before, charted, counts }: Change,
  { version, now }: { readonly version: bigint; readonly now: number },
): Promise<void> {
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

/**
 * Adds up the shards' sums in some windows to the counts of the whole site.
 * @param time the beginning of the windows
 * @param writeTimestamp returns a write timestamp later than all earlier ones
 */
export async function sumShards(
  { cassandra }: AppContext,
  { granularity, time }: Omit<ShardWindow, 'shard'>,
  writeTimestamp: () => bigint,
  now: number,
): Promise<void> {
  const ofShards = { granularity, window_start: new Date(time), rows_max: EVENT_SHARDS * EVENT_KINDS_MAX };
  const sums = sumsOf(await rows(cassandra, selectSiteActivityOfShards, ofShards));
  const point = { ...placeInChart(granularity, time, now), version: writeTimestamp() };
  await batch(
    cassandra,
    sums.map((sum) => bind(insertSiteActivity, { ...point, ...sum })),
  );
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
  await pLimit(WINDOWS_AT_ONCE).map([...bySubject.values()], (ofSubject) => {
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

async function inParts({ cassandra }: AppContext, writes: readonly Bound[]): Promise<void> {
  for (let begin = 0; begin < writes.length; begin += ROWS_PER_BATCH)
    await batch(cassandra, writes.slice(begin, begin + ROWS_PER_BATCH));
}
