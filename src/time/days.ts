import { HOUR_MS, MINUTE_MS } from './units.ts';

/** Calendar days, such as 2026-03-01. A day has no time zone. */

/** The day of a moment at an offset from UTC. */
export const dayAt = (at: Date, offsetMinutes = 0): string =>
  new Date(at.getTime() + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);

/** The largest offset of any time zone from UTC. */
const FURTHEST_AHEAD_MINUTES = (14 * HOUR_MS) / MINUTE_MS;

/** The latest day of a moment anywhere on Earth. */
export const latestDayAt = (at: Date): string => dayAt(at, FURTHEST_AHEAD_MINUTES);

/**
 * A moment that represents a day where a moment is needed. It is on that day in all time zones from
 * UTC-12 to UTC+11.
 */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);
