import { CassandraError } from '../cassandra/errors.ts';
import { each } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { countEvents, COUNTS, selectEvents, type EventCount } from './tables.ts';
import { BELOW, lengthOf, nameOf, windowsBetween, type ShardWindow } from './windows.ts';

/**
 * The numbers of events in a window, by kind and subject: `LIKE Book:…`. The values are plain
 * numbers, because the server that counts has some hundred thousand of them in memory.
 */
export type Counts = ReadonlyMap<string, number>;

/**
 * Returns the key of a kind and subject. With an empty subject it is the prefix of all keys of a
 * kind.
 */
export const keyOf = ({ subject_id, kind }: Pick<EventCount, 'subject_id' | 'kind'>) => `${kind} ${subject_id}`;

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
 * Counts a window: a minute by its events, a longer one by adding up the windows that it consists
 * of. These are read one after the other, because the 60 partitions of an hour need not be in
 * memory at once.
 * @param large the names of the minutes known to be too large for Cassandra; this one is added if
 *   it is
 * @param countsOf returns the counts of a window that this one consists of
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
 * Counts the events of a minute. Cassandra counts them, or, if that takes longer than a statement
 * may, this server does, page by page.
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
  for await (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + countOf(row));
  return counts;
}
