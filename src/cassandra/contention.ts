import { ContentionError } from './errors.ts';
import type { Cassandra } from './statement.ts';

/** The number of tries to decide, which take some four seconds, less than a request may. */
const TRIES_MAX = 20;
const PAUSE_MS = 5;
const PAUSE_MAX_MS = 500;

/**
 * Waits after a conditional write that another call was faster than, longer after each.
 * @param what the thing that others change, for the error
 * @throws {ContentionError} after {@link TRIES_MAX} tries
 */
export async function letOthersPass({ backOff }: Cassandra, tries: number, what: string): Promise<void> {
  if (tries === TRIES_MAX) throw new ContentionError(`others changed ${what} before each try to change it`);
  await backOff(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS));
}
