import { CassandraError, ContentionError } from './errors.ts';
import type { Cassandra } from './statement.ts';

/** Repetitions of conditional writes and serial reads. */

const ATTEMPTS = 5;
const ATTEMPT_PAUSE_MS = 50;

/**
 * Repeats a conditional write or a serial read with an unknown outcome until the outcome is known.
 * Such a write must recognise its own earlier attempt.
 * @throws {CassandraError} if the outcome is still unknown after several attempts
 */
export async function untilKnown<Result>(
  { backOff }: Pick<Cassandra, 'backOff'>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CassandraError) || error.outcome !== 'unknown' || tries === ATTEMPTS) throw error;
      await backOff(ATTEMPT_PAUSE_MS * 2 ** tries);
    }
  }
}

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
