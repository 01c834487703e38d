import { beginningOf, DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts';

/** The windows that events are counted in. All are of UTC. */

export type Granularity = 'MINUTE' | 'HOUR' | 'DAY';

const LENGTHS: Record<Granularity, number> = { MINUTE: MINUTE_MS, HOUR: HOUR_MS, DAY: DAY_MS };

/** Of what the windows of a length are added up. */
export const BELOW: Record<Granularity, Granularity | undefined> = { MINUTE: undefined, HOUR: 'MINUTE', DAY: 'HOUR' };

/** A window of one shard; `time` is its beginning, in ms. */
export interface ShardWindow {
  readonly granularity: Granularity;
  readonly time: number;
  readonly shard: number;
}

/** A text that names a window. */
export const nameOf = ({ granularity, time, shard }: ShardWindow): string => `${granularity} ${time} ${shard}`;

/** How long a window is, in ms. */
export const lengthOf = (granularity: Granularity): number => LENGTHS[granularity];

/** The beginning of the window that a moment is in, in ms. */
export const windowOf = (granularity: Granularity, time: number): number => beginningOf(time, LENGTHS[granularity]);

/** The beginnings of the windows from one on, before another. */
export function windowsBetween(granularity: Granularity, begin: number, end: number): number[] {
  const found: number[] = [];
  for (let time = windowOf(granularity, begin); time < end; time += LENGTHS[granularity]) found.push(time);
  return found;
}

/** The beginning of the day, month or year whose windows are kept together, for the minutes, hours and days in it. */
export function periodOf(granularity: Granularity, time: number): Date {
  const at = new Date(time);
  switch (granularity) {
    case 'MINUTE':
      return new Date(windowOf('DAY', time));
    case 'HOUR':
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
    case 'DAY':
      return new Date(Date.UTC(at.getUTCFullYear(), 0));
  }
}
