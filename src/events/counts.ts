import { CassandraError } from '../cassandra/errors.ts';
import { each } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { countEvents, COUNTS, selectEvents, type EventCount } from './tables.ts';
import { BELOW, lengthOf, nameOf, windowsBetween, type ShardWindow } from './windows.ts';

/**
 * The numbers of events in a window, by kind and subject: `LIKE Book:…`. The values are plain
 * numbers, because the counting server has some hundred thousand of them in memory.
 */
export type Counts = ReadonlyMap<string, number>;

/**
 * Returns the key of a kind and subject. With an empty subject, the key is the prefix of all keys
 * of a kind.
 */
export const countKeyOf = ({ subject_id, kind }: Pick<EventCount, 'subject_id' | 'kind'>) => `${kind} ${subject_id}`;

/** Returns the count of a kind and subject in the form in which it is stored. */
export function eventCountOf([key, event_count]: readonly [key: string, count: number]): EventCount {
  const end = key.indexOf(' ');
  return { kind: key.slice(0, end), subject_id: key.slice(end + 1), event_count };
}

/** Returns the stored counts of a window. */
export const storedCounts = ({ cassandra }: AppContext, { granularity, time, shard }: ShardWindow): Promise<Counts> =>
  sumRows(each(cassandra, COUNTS[granularity].select, { window_start: new Date(time), shard }), countIn);

const countIn = ({ event_count }: EventCount) => event_count;

/**
 * Counts a window: a minute from its events, a longer window by adding up its parts. The parts are
 * read one after the other, so that the 60 partitions of an hour are not in memory at the same
 * time.
 * @param large the names of the minutes known to be too large for Cassandra; this window is added
 *   if it is too large
 * @param countsOf returns the counts of a part of this window
 */
export async function countWindow(
  app: AppContext,
  window: ShardWindow,
  large: LargeWindows,
  countsOf: (window: ShardWindow) => Promise<Counts>,
): Promise<Counts> {
  const { granularity, time, shard } = window;
  const below = BELOW[granularity];
  if (!below) return countMinute(app, window, large);

  const sums = new Map<string, number>();
  for (const part of windowsBetween(below, time, time + lengthOf(granularity))) {
    const counts = await countsOf({ granularity: below, time: part, shard });
    for (const [key, count] of counts) sums.set(key, count + (sums.get(key) ?? 0));
  }
  return sums;
}

/** The names of windows that Cassandra cannot count in one statement. */
type LargeWindows = Pick<Map<string, true>, 'has'> & { set: (name: string, isLarge: true) => unknown };

/**
 * Counts the events of a minute. Cassandra counts them in one statement. If the statement times
 * out, this server counts them page by page.
 */
async function countMinute({ cassandra }: AppContext, window: ShardWindow, large: LargeWindows): Promise<Counts> {
  const minute = { minute: new Date(window.time), shard: window.shard };
  if (!large.has(nameOf(window))) {
    try {
      return await sumRows(each(cassandra, countEvents, minute), countIn);
    } catch (error) {
      if (!(error instanceof CassandraError)) throw error;
      large.set(nameOf(window), true);
    }
  }
  return sumRows(each(cassandra, selectEvents, minute), () => 1);
}

async function sumRows<Row extends Pick<EventCount, 'subject_id' | 'kind'>>(
  rows: AsyncIterable<Row>,
  countOf: (row: Row) => number,
): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const row of rows) counts.set(countKeyOf(row), (counts.get(countKeyOf(row)) ?? 0) + countOf(row));
  return counts;
}
