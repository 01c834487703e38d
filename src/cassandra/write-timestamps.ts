import { policies } from 'cassandra-driver';

/** The minimum jump back of a clock that was set back, in microseconds. */
const SET_BACK = 4_000_000;

/**
 * Generates the write timestamps of statements that set none: the time of day in microseconds, each
 * later than the previous one. The driver's own generator never decreases: after a minute with a
 * clock that was a day ahead, all writes of the process would shadow the writes of others for a
 * day. This generator follows a clock that was set back.
 */
export class WriteTimestamps extends policies.timestampGeneration.MonotonicTimestampGenerator {
  #last = 0;

  constructor() {
    // The arguments are the drift for a warning and the interval of warnings. An interval of 0
    // disables warnings.
    super(1_000, 0);
  }

  override next(): number {
    const now = Date.now() * 1_000;
    const wasSetBack = this.#last - now > SET_BACK;
    this.#last = wasSetBack ? now : Math.max(now, this.#last + 1);
    return this.#last;
  }
}
