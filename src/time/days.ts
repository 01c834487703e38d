import { HOUR_MS, MINUTE_MS } from './units.ts';

/** Days of the calendar, as 2026-03-01: each is the same day in every time zone. */

/** The day of a moment at an offset from UTC. */
export const dayAt = (at: Date, offsetMinutes: number): string =>
  new Date(at.getTime() + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);

/** No place on Earth is further ahead of UTC. */
const FURTHEST_AHEAD_MINUTES = (14 * HOUR_MS) / MINUTE_MS;

/** The latest day that a moment is in anywhere on Earth. */
export const latestDayAt = (at: Date): string => dayAt(at, FURTHEST_AHEAD_MINUTES);

/** The moment that stands for a day where one is needed: it is in this very day in all time zones from UTC-12 to UTC+11. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);
