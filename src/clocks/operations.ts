import { nodeTime } from '../cassandra/client.ts';
import { perProcess, type AppContext } from '../context/context.ts';

/**
 * The check whether this server's clock can be trusted. Tokens expire by the time of day, and every
 * action is permanently listed under its moment and year. The transaction log itself needs no time
 * of day. `src/trust/operations.ts` defines the consequences of a wrong clock.
 */

/**
 * The number of comparisons that are kept. It is more than one because the clock of one node may
 * itself be wrong.
 */
const COMPARISONS = 5;

/** The clock of this process, compared with Cassandra's. */
export const serverClock = perProcess(() => new ServerClock());

/** The measured deviation of one server's clock. */
class ServerClock {
  /** The leads of this clock over the nodes' clocks, in ms, newest last. */
  #ahead: readonly number[] = [];
  #aheadMs = 0;
  /** The difference between this clock and a monotonic one, in ms, at the last comparison. */
  #fromSteady: number | undefined;

  /** Compares the clock with that of a node of Cassandra. It is called about every second. */
  async compare(app: AppContext): Promise<void> {
    const { cassandra, clock, monotonicNow, config } = app;
    if (config.clockSkewMaxMs === 0) return;
    const before = clock().getTime();
    const node = (await nodeTime(cassandra)).getTime();
    const after = clock().getTime();

    // The node read its clock at some moment between the two.
    const ahead = node < before ? before - node : Math.min(0, after - node);
    // Comparisons from before the clock was set are meaningless.
    const former = this.#wasSet(app) ? [] : this.#ahead;
    this.#ahead = [...former, ahead].slice(-COMPARISONS);
    this.#aheadMs = this.#ahead.toSorted((one, other) => one - other)[Math.floor(this.#ahead.length / 2)] ?? 0;
    this.#fromSteady = clock().getTime() - monotonicNow();
  }

  /**
   * The lead over Cassandra's clock, in ms, negative if this clock is behind. It is the median of
   * the minimum leads of the comparisons.
   */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /**
   * Returns true if the clock deviates too much, or was set since the last comparison; false before
   * the first comparison.
   */
  isWrong(app: AppContext): boolean {
    return Math.abs(this.#aheadMs) > app.config.clockSkewMaxMs || this.#wasSet(app);
  }

  #wasSet({ clock, monotonicNow, config }: AppContext): boolean {
    if (this.#fromSteady === undefined) return false;
    return Math.abs(clock().getTime() - monotonicNow() - this.#fromSteady) > config.clockSkewMaxMs;
  }
}
