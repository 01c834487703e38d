import { errors, types } from 'cassandra-driver';
import { z } from 'zod';

/**
 * A statement that Cassandra did not answer with a result.
 * `unknown`: a write may have happened, now or later, or not at all. `refused`: nothing was done.
 */
export class CassandraError extends Error {
  override name = 'CassandraError';
  readonly outcome: 'unknown' | 'refused';
  constructor(outcome: 'unknown' | 'refused', message: string, cause: unknown) {
    super(message, { cause });
    this.outcome = outcome;
  }
}

const { responseErrorCodes: codes } = types;
const READ_FAILURE: number = codes.readFailure;
/** Answers that say that the statement was not tried. */
const REFUSED: readonly number[] = [codes.unavailableException, codes.overloaded, codes.isBootstrapping];
/** Answers after which replicas may hold the write; 0x1700 is CAS_WRITE_UNKNOWN of protocol 5. */
const UNKNOWN: readonly number[] = [
  codes.writeTimeout,
  codes.readTimeout,
  codes.writeFailure,
  codes.readFailure,
  0x1700,
];

/** Whether the replicas were there and could not read what a statement asked for: too many tombstones, a broken file. */
export const isReadFailure = (error: unknown): boolean =>
  error instanceof CassandraError && error.cause instanceof errors.ResponseError && error.cause.code === READ_FAILURE;

/** Whether an error says of one row or partition that it cannot be read, or understood; others may be. */
export const isUnreadable = (error: unknown): boolean => isReadFailure(error) || error instanceof z.ZodError;

/** Whether an error says that something stored cannot be read, written or understood now; any other is a mistake of ours. */
export const isOfWhatIsStored = (error: unknown): boolean =>
  error instanceof CassandraError || error instanceof z.ZodError;

/**
 * The one place where the driver's errors become ours.
 * @param what the statement, for the log; it carries no values
 * @returns a {@link CassandraError} for what is Cassandra's state, the error itself for what is our mistake
 */
export function convertError(what: string, error: unknown): unknown {
  const outcome = outcomeOf(error);
  return outcome ? new CassandraError(outcome, `${what}: ${(error as Error).message}`, error) : error;
}

function outcomeOf(error: unknown): 'unknown' | 'refused' | undefined {
  if (error instanceof errors.OperationTimedOutError) return 'unknown';
  if (error instanceof errors.BusyConnectionError) return 'refused';
  if (error instanceof errors.NoHostAvailableError) {
    // Every host was tried; if any of them may have taken the statement, nobody knows.
    const outcomes = Object.values(error.innerErrors as Record<string, unknown>).map(outcomeOf);
    return outcomes.includes('unknown') ? 'unknown' : 'refused';
  }
  if (error instanceof errors.ResponseError) {
    if (REFUSED.includes(error.code)) return 'refused';
    if (UNKNOWN.includes(error.code)) return 'unknown';
    return undefined;
  }
  // A connection that closed under a statement in flight.
  return error instanceof Error && /socket|connection/i.test(error.message) ? 'unknown' : undefined;
}
