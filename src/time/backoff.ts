const FIRST_MS = 1_000;
/** So that what an outage kept from being done is done within a minute of its end, however long it took. */
export const LONGEST_WAIT_MS = 30_000;

/**
 * How long to wait after a failure, in ms: a second, and after each further failure in a row twice as long, up to
 * {@link LONGEST_WAIT_MS}.
 * @param failures in a row, 1 or more
 */
export const waitAfter = (failures: number): number => Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
