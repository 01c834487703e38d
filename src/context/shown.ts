import type { AppContext } from './context.ts';

/** Servers keep rows they have read for `SHOWN_AGE_MAX_MS`, so what they show may be that old. */

/** The time for which a process shows a row that it has read, and the clock that measures it. */
export const shownFor = ({ config, steady }: AppContext) => ({ milliseconds: config.shownAgeMaxMs, steady });

/** Waits, after a change, until no server shows the former state. */
export async function untilShown({ cassandra, config, steady }: AppContext): Promise<void> {
  const shownAt = steady() + config.shownAgeMaxMs;
  while (steady() < shownAt) await cassandra.backOff(config.shownAgeMaxMs);
}
