import { nodeTime } from '../cassandra/client.ts';
import { perProcess, type AppContext } from '../context/context.ts';

/**
 * Whether this server's clock may be trusted. By the time of day tokens end, and what is done has a moment and a year under which it is
 * listed for good; the transaction log itself needs no time of day. What follows for a server whose clock is wrong:
 * `src/trust/operations.ts`.
 */

/** As many of the newest comparisons are kept; of several nodes one may be wrong itself. */
const COMPARISONS = 5;

/** This process's clock, as compared with Cassandra's. */
export const serverClock = perProcess(({ config }) => new ServerClock(config.clockSkewMaxMs));

/** What one server knows of its clock. */
class ServerClock {
  readonly #skewMaxMs: number;
  /** How far ahead of the nodes' clocks this one was, the newest last. */
  #ahead: readonly number[] = [];
  #aheadMs = 0;
  /** The clock's distance from one that is never set, when it was compared last. */
  #fromSteady: number | undefined;

  /** @param skewMaxMs it may differ by so much; 0: it is not compared */
  constructor(skewMaxMs: number) {
    this.#skewMaxMs = skewMaxMs;
  }

  /** Compares the clock with that of a node of Cassandra. To be called every second or so. */
  async compare(app: AppContext): Promise<void> {
    if (this.#skewMaxMs === 0) return;
    const { cassandra, clock, steady } = app;
    const before = clock().getTime();
    const node = (await nodeTime(cassandra)).getTime();
    const after = clock().getTime();

    // The node read its clock at some moment between the two.
    const ahead = node < before ? before - node : Math.min(0, after - node);
    // What was found before the clock was set says nothing of it any more.
    const former = this.#wasSet(app) ? [] : this.#ahead;
    this.#ahead = [...former, ahead].slice(-COMPARISONS);
    this.#aheadMs = this.#ahead.toSorted((one, other) => one - other)[Math.floor(this.#ahead.length / 2)] ?? 0;
    this.#fromSteady = clock().getTime() - steady();
  }

  /** How far ahead of Cassandra's the clock is at least, in ms; below 0 where it is behind. The median of some comparisons. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Whether it differs by too much, or was set since it was compared last; false where it never was compared. */
  isWrong(app: AppContext): boolean {
    return Math.abs(this.#aheadMs) > this.#skewMaxMs || this.#wasSet(app);
  }

  #wasSet({ clock, steady }: AppContext): boolean {
    if (this.#fromSteady === undefined) return false;
    return Math.abs(clock().getTime() - steady() - this.#fromSteady) > this.#skewMaxMs;
  }
}
