import { policies } from 'cassandra-driver';

/** A clock that goes back by more was set, in microseconds. */
const SET_BACK = 4_000_000;

/**
 * The write timestamps of what has none of its own: the time of day in microseconds, each later than the one before. The driver's own
 * generator never goes back: after a minute with a clock that was a day ahead, all that a process writes would shadow what others
 * write, for a day. This one follows a clock that was set back.
 */
export class WriteTimestamps extends policies.timestampGeneration.MonotonicTimestampGenerator {
  #last = 0;

  constructor() {
    // How far it may drift before the driver warns, and how often: it never does.
    super(1_000, 0);
  }

  override next(): number {
    const now = Date.now() * 1_000;
    const wasSetBack = this.#last - now > SET_BACK;
    this.#last = wasSetBack ? now : Math.max(now, this.#last + 1);
    return this.#last;
  }
}
