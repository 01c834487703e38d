/** Lengths of time. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_SECONDS = HOUR_MS / 1_000;
export const DAY_SECONDS = DAY_MS / 1_000;

/** The beginning, in ms, of the minute, hour or any other such length since the epoch that a moment is in. */
export const beginningOf = (time: number, lengthMs: number): number => Math.floor(time / lengthMs) * lengthMs;
