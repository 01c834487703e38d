import { readTopology, describeReplication, whyUnsafe } from '../cassandra/topology.ts';
import { serverClock } from '../clocks/operations.ts';
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
