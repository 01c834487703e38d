import { errors, types } from 'cassandra-driver';
import { z } from 'zod';

/**
 * A statement that Cassandra did not answer with a result. `unknown`: a write may have happened,
 * may still happen, or may never happen. `refused`: nothing was done.
 */
export class CassandraError extends Error {
  override name = 'CassandraError';
  readonly outcome: 'unknown' | 'refused';
  constructor(outcome: 'unknown' | 'refused', message: string, cause: unknown) {
    super(message, { cause });
    this.outcome = outcome;
  }
}

/**
 * All tries of a conditional write failed because other processes were faster. An earlier part of
 * the same work may be done.
 */
export class ContentionError extends CassandraError {
  override name = 'ContentionError';
  constructor(message: string) {
    super('unknown', message, undefined);
  }
}

const { responseErrorCodes: codes } = types;
const READ_FAILURE: number = codes.readFailure;
/** Error codes of statements that Cassandra did not try. */
const REFUSED: readonly number[] = [codes.unavailableException, codes.overloaded, codes.isBootstrapping];
/**
 * Error codes of writes that replicas may have stored; 0x1700 is CAS_WRITE_UNKNOWN of protocol 5.
 */
const UNKNOWN: readonly number[] = [
  codes.writeTimeout,
  codes.readTimeout,
  codes.writeFailure,
  codes.readFailure,
  0x1700,
];

/**
 * Returns true if the replicas were available but could not read the data: too many tombstones, or
 * a broken file.
 */
export const isReadFailure = (error: unknown): boolean =>
  error instanceof CassandraError && error.cause instanceof errors.ResponseError && error.cause.code === READ_FAILURE;

/**
 * Returns true if the cause of an error is one row or partition that cannot be read or decoded.
 * Other rows may be readable.
 */
export const isUnreadable = (error: unknown): boolean => isReadFailure(error) || error instanceof z.ZodError;

/**
 * Returns true if an error is about stored data that cannot be read, written or decoded now. Any
 * other error is a bug.
 */
export const isAboutStoredData = (error: unknown): boolean =>
  error instanceof CassandraError || error instanceof z.ZodError;

/**
 * Converts the driver's errors into ours. This is the only place that does so.
 * @param what the statement, for the log, without values
 * @returns a {@link CassandraError} if the state of Cassandra is the cause, the error itself if it
 *   is a bug
 */
export function convertError(what: string, error: unknown): unknown {
  const outcome = outcomeOf(error);
  return outcome ? new CassandraError(outcome, `${what}: ${(error as Error).message}`, error) : error;
}

function outcomeOf(error: unknown): 'unknown' | 'refused' | undefined {
  if (error instanceof errors.OperationTimedOutError) return 'unknown';
  if (error instanceof errors.BusyConnectionError) return 'refused';
  if (error instanceof errors.NoHostAvailableError) {
    // Every host was tried. The outcome is unknown if any of them may have executed the statement.
    const outcomes = Object.values(error.innerErrors as Record<string, unknown>).map(outcomeOf);
    return outcomes.includes('unknown') ? 'unknown' : 'refused';
  }
  if (error instanceof errors.ResponseError) {
    if (REFUSED.includes(error.code)) return 'refused';
    if (UNKNOWN.includes(error.code)) return 'unknown';
    return undefined;
  }
  // A connection that closed while a statement was in flight.
  return error instanceof Error && /socket|connection/i.test(error.message) ? 'unknown' : undefined;
}
