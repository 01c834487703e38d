import { beginningOf, DAY_MS, HOUR_MS, MINUTE_MS, monthOf } from '../time/units.ts';

/** The windows in which events are counted, all in UTC. */

export type Granularity = 'MINUTE' | 'HOUR' | 'DAY';

const LENGTHS: Record<Granularity, number> = { MINUTE: MINUTE_MS, HOUR: HOUR_MS, DAY: DAY_MS };

/** The granularity of the windows that are added up to a window of a granularity. */
export const BELOW: Record<Granularity, Granularity | undefined> = { MINUTE: undefined, HOUR: 'MINUTE', DAY: 'HOUR' };

/** The maximum number of windows that are read, counted or written concurrently. */
export const WINDOWS_AT_ONCE = 32;

/** A window of one shard. `time` is its beginning, in ms. */
export interface ShardWindow {
  readonly granularity: Granularity;
  readonly time: number;
  readonly shard: number;
}

/** Returns a text that identifies a window. */
export const nameOf = ({ granularity, time, shard }: ShardWindow): string => `${granularity} ${time} ${shard}`;

/** Returns the length of a window, in ms. */
export const lengthOf = (granularity: Granularity): number => LENGTHS[granularity];

/** Returns the beginning of the window that contains a moment, in ms. */
export const windowOf = (granularity: Granularity, time: number): number => beginningOf(time, LENGTHS[granularity]);

/**
 * Returns the beginnings of the windows from the one that contains `begin` until before `end`, in
 * ms.
 */
export function windowsBetween(granularity: Granularity, begin: number, end: number): number[] {
  const found: number[] = [];
  for (let time = windowOf(granularity, begin); time < end; time += LENGTHS[granularity]) found.push(time);
  return found;
}

/**
 * Returns the beginning of the period in which windows are stored together: the day of a minute,
 * the month of an hour, the year of a day.
 */
export function periodOf(granularity: Granularity, time: number): Date {
  const at = new Date(time);
  switch (granularity) {
    case 'MINUTE':
      return new Date(windowOf('DAY', time));
    case 'HOUR':
      return monthOf(at);
    case 'DAY':
      return new Date(Date.UTC(at.getUTCFullYear(), 0));
  }
}
