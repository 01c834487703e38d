/** Durations, and the periods that contain a moment. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_SECONDS = HOUR_MS / 1_000;
export const DAY_SECONDS = DAY_MS / 1_000;

/** The start, in ms since the epoch, of the minute, hour or other period that contains a moment. */
export const beginningOf = (time: number, lengthMs: number): number => Math.floor(time / lengthMs) * lengthMs;

/** The UTC month of a moment, as its first moment. */
export const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
