import { CassandraError } from '../cassandra/errors.ts';
import { each } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { countEvents, COUNTS, selectEvents, type EventCount } from './tables.ts';
import { nameOf, type ShardWindow } from './windows.ts';

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
  return { kind: key.slice(0, end) as EventCount['kind'], subject_id: key.slice(end + 1), event_count };
}

/** Returns the stored counts of a window. */
export const storedCounts = ({ cassandra }: AppContext, { granularity, time, shard }: ShardWindow): Promise<Counts> =>
  collectCounts(each(cassandra, COUNTS[granularity].select, { window_start: new Date(time), shard }));

/**
 * Counts the events of a minute. Cassandra counts them, or, if that takes longer than a statement
 * may, this server does, page by page.
 * @param large the names of the minutes known to be too large for Cassandra; this one is added if
 *   it is
 */
export async function countMinute(
  { cassandra }: AppContext,
  window: ShardWindow,
  large: Pick<Map<string, true>, 'has'> & { set: (name: string, isLarge: true) => unknown },
): Promise<Counts> {
  const minute = { minute: new Date(window.time), shard: window.shard };
  if (!large.has(nameOf(window))) {
    try {
      return await collectCounts(each(cassandra, countEvents, minute));
    } catch (error) {
      if (!(error instanceof CassandraError)) throw error;
      large.set(nameOf(window), true);
    }
  }
  return countOf(each(cassandra, selectEvents, minute));
}

async function collectCounts(every: AsyncIterable<EventCount>): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const count of every) counts.set(keyOf(count), count.event_count);
  return counts;
}

async function countOf(events: AsyncIterable<Pick<EventCount, 'subject_id' | 'kind'>>): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return counts;
}

/** Adds up the counts of consecutive windows. */
export function sumCounts(parts: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const part of parts) {
    for (const [key, count] of part) sums.set(key, count + (sums.get(key) ?? 0));
  }
  return sums;
}
