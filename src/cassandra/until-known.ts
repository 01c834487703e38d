import { CassandraError } from './errors.ts';
import type { Cassandra } from './statement.ts';

const TRIES = 5;
const PAUSE_MS = 50;

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
      if (!(error instanceof CassandraError) || error.outcome !== 'unknown' || tries === TRIES) throw error;
      await backOff(PAUSE_MS * 2 ** tries);
    }
  }
}
