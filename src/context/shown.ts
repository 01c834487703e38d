import type { AppContext } from './context.ts';

/** What is shown may be as old as `SHOWN_AGE_MAX_MS`, as all servers keep what they have read for so long. */

/** For how long a process shows what it has read, and by which clock. */
export const shownFor = ({ config, steady }: AppContext) => ({ milliseconds: config.shownAgeMaxMs, steady });

/** After a change waits until no server shows any more what was before. */
export async function untilShown({ cassandra, config, steady }: AppContext): Promise<void> {
  const shownAt = steady() + config.shownAgeMaxMs;
  while (steady() < shownAt) await cassandra.backOff(config.shownAgeMaxMs);
}
