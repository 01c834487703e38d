import type { Trend } from '../../../src/events/tables.ts';
import { lengthOf, windowOf, type Granularity } from '../../../src/events/windows.ts';
import { COUNTED_MS } from '../../../src/events/operations.ts';
import { MINUTE_MS } from '../../../src/time/units.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { eventsDecided } from './activity.ts';
import { eventIdOf } from './views.ts';

/** Compares the events with the counts of the roll-up, in every table that has them. */

/** Counts by the counted thing. */
type Counts = Map<string, number>;

const add = (counts: Counts, key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
const countIn = (row: Row) => row['event_count'] as number;
const timeIn = (row: Row) => (row['window_start'] as Date).getTime();

const TABLES = { MINUTE: 'events_by_minute', HOUR: 'events_by_hour', DAY: 'events_by_day' } as const;
const GRANULARITIES = ['MINUTE', 'HOUR', 'DAY'] as const;

/** Returns the beginning of the oldest compared window. The events of older ones expire. */
const since = (granularity: Granularity, now: number) =>
  windowOf(granularity, now - COUNTED_MS) + lengthOf(granularity);

function* unlike(table: string, wanted: Counts, found: Counts): Generator<string> {
  for (const key of new Set([...wanted.keys(), ...found.keys()]))
    if ((wanted.get(key) ?? 0) !== (found.get(key) ?? 0))
      yield `${table} has the count ${found.get(key) ?? 0} for ${key}, not ${wanted.get(key) ?? 0}`;
}

/**
 * @param erased readers whose events are not completed: these may be counted or not, like views
 * whose callers got no answer
 */
export function* driftOfCounts(
  cluster: Cluster,
  { views }: Library,
  erased: ReadonlySet<string>,
  now: number,
): Generator<string> {
  const counted = Object.fromEntries(
    GRANULARITIES.map((granularity) => {
      const rows = cluster.scan(TABLES[granularity]).filter((row) => timeIn(row) >= since(granularity, now));
      return [granularity, rows];
    }),
  ) as Record<Granularity, Row[]>;

  const told = new Set(views.filter(({ isDone }) => isDone).map((view) => eventIdOf(view)));
  const isSure = (row: Row, userId: string) =>
    !erased.has(userId) && (row['kind'] !== 'VIEW' || told.has(show(row['event_id'])));
  yield* driftOfMinutes(cluster, counted.MINUTE, isSure, erased, now);
  yield* driftOfSums('HOUR', counted.MINUTE, counted.HOUR, now);
  yield* driftOfSums('DAY', counted.HOUR, counted.DAY, now);
  for (const granularity of GRANULARITIES) yield* driftOfCharts(cluster, granularity, counted[granularity], now);
  yield* driftOfTrends(cluster, counted, now);
}

function* driftOfMinutes(
  cluster: Cluster,
  counted: readonly Row[],
  isSure: (row: Row, userId: string) => boolean,
  erased: ReadonlySet<string>,
  now: number,
): Generator<string> {
  const nameOf = (row: Row, minute: unknown) =>
    `${show(minute)} ${show(row['shard'])} ${show(row['subject_id'])} ${show(row['kind'])}`;
  const decided = eventsDecided(cluster);
  const [least, most]: [Counts, Counts] = [new Map(), new Map()];
  for (const row of cluster.scan('events')) {
    if ((row['minute'] as Date).getTime() < since('MINUTE', now)) continue;
    const { userId = '' } = decided.get(show(row['event_id'])) ?? {};
    add(most, nameOf(row, row['minute']), 1);
    if (isSure(row, userId)) add(least, nameOf(row, row['minute']), 1);
  }
  // An event of a deleted account may have been withdrawn on some nodes only, or too late for the
  // count.
  for (const row of counted) {
    const gone = [...decided.values()].filter(
      ({ userId, at }) => erased.has(userId) && windowOf('MINUTE', at.getTime()) === timeIn(row),
    );
    add(most, nameOf(row, row['window_start']), gone.length);
  }
  const found = new Map(counted.map((row) => [nameOf(row, row['window_start']), countIn(row)]));
  for (const name of new Set([...most.keys(), ...found.keys()])) {
    const [count, atLeast, atMost] = [found, least, most].map((counts) => counts.get(name) ?? 0) as [
      number,
      number,
      number,
    ];
    if (count < atLeast || count > atMost)
      yield `events_by_minute has the count ${count} for ${name}, not ${atLeast} to ${atMost}`;
  }
}

function* driftOfSums(
  granularity: Granularity,
  below: readonly Row[],
  counted: readonly Row[],
  now: number,
): Generator<string> {
  const nameOf = (row: Row) =>
    `${show(new Date(windowOf(granularity, timeIn(row))))} ${show(row['shard'])} ` +
    `${show(row['subject_id'])} ${show(row['kind'])}`;
  const wanted: Counts = new Map();
  for (const row of below)
    if (windowOf(granularity, timeIn(row)) >= since(granularity, now)) add(wanted, nameOf(row), countIn(row));
  yield* unlike(TABLES[granularity], wanted, new Map(counted.map((row) => [nameOf(row), countIn(row)])));
}

function* driftOfCharts(
  cluster: Cluster,
  granularity: Granularity,
  counted: readonly Row[],
  now: number,
): Generator<string> {
  const CHARTS = {
    activity_by_subject: ['subject_id', 'kind'],
    site_activity_by_shard: ['shard', 'kind'],
    site_activity: ['kind'],
  };
  for (const [table, columns] of Object.entries(CHARTS)) {
    const nameOf = (row: Row) => [show(row['window_start']), ...columns.map((column) => show(row[column]))].join(' ');
    const wanted: Counts = new Map();
    for (const row of counted) add(wanted, nameOf(row), countIn(row));
    const charted = cluster
      .scan(table)
      .filter((row) => row['granularity'] === granularity && timeIn(row) >= since(granularity, now));
    yield* unlike(`${table} by ${granularity}`, wanted, new Map(charted.map((row) => [nameOf(row), countIn(row)])));
  }
}

const WINDOW_PARTS = {
  HOUR: { granularity: 'MINUTE', windows: 60 },
  DAY: { granularity: 'HOUR', windows: 24 },
  WEEK: { granularity: 'DAY', windows: 7 },
} as const;

function* driftOfTrends(
  cluster: Cluster,
  counted: Readonly<Record<Granularity, readonly Row[]>>,
  now: number,
): Generator<string> {
  /** Lists the most liked things and their counts at a moment. */
  const liked = (last: keyof typeof WINDOW_PARTS, type: string, at: number): string => {
    const { granularity, windows } = WINDOW_PARTS[last];
    const newest = windowOf(granularity, at);
    const likes: Counts = new Map();
    for (const row of counted[granularity]) {
      const subject = show(row['subject_id']);
      const isOfType = (type === 'Likeable' ? ['Book', 'Item'] : [type]).some((each) => subject.startsWith(`${each}:`));
      const isWithin = timeIn(row) <= newest && timeIn(row) > newest - windows * lengthOf(granularity);
      if (row['kind'] === 'LIKE' && isOfType && isWithin) add(likes, subject, countIn(row));
    }
    return show([...likes].map(([subject, count]) => `${count} ${subject}`).toSorted());
  };
  const found = new Map(
    cluster.scan('trending').map((row) => {
      const top = (row['top'] as Trend[]).map(({ subject_id, likes }) => `${likes} ${subject_id}`);
      return [`${show(row['last'])} ${show(row['likeable_type'])}`, show(top.toSorted())];
    }),
  );
  for (const last of ['HOUR', 'DAY', 'WEEK'] as const) {
    for (const type of ['Book', 'Item', 'Review', 'Likeable']) {
      const top = found.get(`${last} ${type}`) ?? show([]);
      // The figures of a minute that has just begun may still be those of the previous minute.
      if (top !== liked(last, type, now) && top !== liked(last, type, now - MINUTE_MS))
        yield `trending ${last} ${type} is ${top}, not ${liked(last, type, now)}`;
    }
  }
}

/** Returns whether any window is still to be counted, among those that the roll-up reads. */
export function isToBeCounted(cluster: Cluster): boolean {
  const swept = cluster.scan('dirty_windows_swept')[0]?.['bucket'] as Date | undefined;
  const placeOf = (row: Row) => `${show(row['bucket'])} ${show(row['part'])}`;
  const listed = new Set(
    cluster
      .scan('dirty_window_buckets')
      .filter((row) => !swept || (row['bucket'] as Date) >= swept)
      .map(placeOf),
  );
  return cluster.scan('dirty_windows').some((row) => listed.has(placeOf(row)));
}
