import { nodeTime } from '../cassandra/client.ts';
import { readTopology, describeReplication, whyUnsafe } from '../cassandra/topology.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';

/**
 * Trust. A server may change data, and rely on its reads, only while its clock is right and the
 * replication of the keyspace lets its settings keep their guarantees. Otherwise it begins no
 * change, does no work for others, rejects no token, and reports that it is not ready. It resumes
 * automatically when its clock is right again, but not after a change of the replication: until a
 * repair, the data written meanwhile may be missing from the next majority.
 */

/**
 * The delay before a retry, longer than a load balancer needs to notice that this server is not
 * ready.
 */
const RETRY_AFTER_SECONDS = 5;

/**
 * The number of comparisons that are kept. It is more than one because the clock of one node may
 * itself be wrong.
 */
const COMPARISONS = 5;

/**
 * The clock of this process, compared with Cassandra's. Tokens expire by the time of day, and every
 * action is permanently listed under its moment and year. The transaction log needs no time of day.
 */
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

/** The replication of the keyspace, as this process last found it. */
export const serverTopology = perProcess(() => new ServerTopology());

/** Tracks how the keyspace of one server is replicated. */
class ServerTopology {
  /** The replication that was found first. All existing data was placed according to it. */
  #first: string | undefined;
  /**
   * The reason, for the operator, why the replication is unsafe; `undefined` if it is safe or was
   * never read.
   */
  unsafe: string | undefined;

  /** Reads the replication of the keyspace by one small query. Call it about every half minute. */
  async look({ cassandra: { client }, config }: AppContext): Promise<void> {
    const topology = await readTopology(client, config.cassandra.keyspace);
    const now = topology.replication && describeReplication(topology.replication);
    this.#first ??= now;
    this.unsafe ??= whyUnsafe(topology, config.cassandra) ?? this.#whyChanged(now);
  }

  /**
   * Returns why a changed replication is unsafe: new replicas have no data until they are repaired,
   * and two of them may form a majority.
   */
  #whyChanged(now: string | undefined): string | undefined {
    if (now === this.#first) return undefined;
    return (
      `The keyspace was replicated by ${String(this.#first)} when this server started, and by ${String(now)} later. ` +
      'Rebuild the new replicas, repair, then restart this server, even if the replication is as it was. ' +
      'See "Data centres" in docs/operations.md.'
    );
  }
}

/**
 * Returns why this server may not change anything now, as part of a sentence; `undefined` if it
 * may.
 */
export function whyUntrusted(app: AppContext): string | undefined {
  if (serverClock(app).isWrong(app)) return 'the clock of this server is wrong';
  return serverTopology(app).unsafe === undefined ? undefined : 'the data is not replicated as this server needs it';
}

/**
 * Checks that this server may change data.
 * @throws `OVERLOADED` (503) if it may not; another server may
 */
export function requireTrusted(app: AppContext): void {
  const reason = whyUntrusted(app);
  if (reason === undefined) return;
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  throw overloaded(`${sentence}, so it changes nothing.`, RETRY_AFTER_SECONDS);
}
