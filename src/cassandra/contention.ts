import { ContentionError } from './errors.ts';
import type { Cassandra } from './statement.ts';

/**
 * The maximum number of tries of a decision. They take some four seconds, less than the time limit
 * of a request.
 */
const TRIES_MAX = 20;
const PAUSE_MS = 5;
const PAUSE_MAX_MS = 500;

/**
 * Waits after a conditional write that failed because another call was faster. It waits longer
 * after each try.
 * @param what the name of the contended thing, for the error
 * @throws {ContentionError} after {@link TRIES_MAX} tries
 */
export async function waitAfterConflict({ backOff }: Cassandra, tries: number, what: string): Promise<void> {
  if (tries === TRIES_MAX)
    throw new ContentionError(`other processes changed ${what} before each attempt to change it`);
  await backOff(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS));
}
