import { policies } from 'cassandra-driver';

/** The jump back, in microseconds, from which on the clock counts as having been set. */
const SET_BACK = 4_000_000;

/**
 * Generates the write timestamps of statements that set none: the time of day in microseconds, each
 * later than the one before. The driver's own generator never goes back: after a minute with a
 * clock that was a day ahead, all writes of the process would shadow the writes of others for a
 * day. This one follows a clock that was set back.
 */
export class WriteTimestamps extends policies.timestampGeneration.MonotonicTimestampGenerator {
  #last = 0;

  constructor() {
    // The drift before the driver warns, and the interval of its warnings: it never warns.
    super(1_000, 0);
  }

  override next(): number {
    const now = Date.now() * 1_000;
    const wasSetBack = this.#last - now > SET_BACK;
    this.#last = wasSetBack ? now : Math.max(now, this.#last + 1);
    return this.#last;
  }
}
