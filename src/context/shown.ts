import type { AppContext } from './context.ts';

/**
 * The age of shown rows. Servers cache rows for `SHOWN_AGE_MAX_MS`, so a shown row may be that old.
 */

/** The time for which a process shows a row that it has read, and the clock that measures it. */
export const shownFor = ({ config, monotonicNow }: AppContext) => ({
  milliseconds: config.shownAgeMaxMs,
  monotonicNow,
});

/** Waits, after a change, until no server shows the former state. */
export async function untilShown({ cassandra, config, monotonicNow }: AppContext): Promise<void> {
  const shownAt = monotonicNow() + config.shownAgeMaxMs;
  while (monotonicNow() < shownAt) await cassandra.backOff(config.shownAgeMaxMs);
}
