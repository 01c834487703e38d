import { HOUR_MS, MINUTE_MS } from './units.ts';

/** Calendar days, such as 2026-03-01. A day is the same day in every time zone. */

/** The day that a moment is in at an offset from UTC. */
export const dayAt = (at: Date, offsetMinutes = 0): string =>
  new Date(at.getTime() + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);

/** No place on Earth is further ahead of UTC. */
const FURTHEST_AHEAD_MINUTES = (14 * HOUR_MS) / MINUTE_MS;

/** The latest day that a moment is in anywhere on Earth. */
export const latestDayAt = (at: Date): string => dayAt(at, FURTHEST_AHEAD_MINUTES);

/**
 * A moment that stands for a day where one is needed. It is in that day in all time zones from
 * UTC-12 to UTC+11.
 */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);
