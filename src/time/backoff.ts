const FIRST_MS = 1_000;
/**
 * The maximum time between two tries. After an outage of any length, delayed work is done within a
 * minute.
 */
export const LONGEST_WAIT_MS = 30_000;

/**
 * The time to wait after a failure, in ms: a second, twice as long after each further failure in a
 * row, up to {@link LONGEST_WAIT_MS}.
 * @param failures the number of failures in a row, at least 1
 */
export const waitAfter = (failures: number): number => Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
