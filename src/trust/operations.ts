import { readTopology, replicationTold, whyUnsafe } from '../cassandra/topology.ts';
import { serverClock } from '../clocks/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';

/**
 * Whether this server may change anything, and believe what it reads. It may not while its clock is wrong, nor while the keyspace is
 * replicated in a way with which its settings cannot keep the promises. Then it begins nothing, does nothing for others, takes no
 * token for bad, and says that it is not ready. It goes on by itself when its clock is right again, and not after a change of the
 * replication: what was written meanwhile may be where the next majority does not look, until it is repaired.
 */

/** Longer than it takes whoever spreads the requests to find that this server is not ready. */
const RETRY_AFTER_SECONDS = 5;

/** How this process's keyspace is replicated, as it was found last. */
export const serverTopology = perProcess(() => new ServerTopology());

/** What one server knows of how its keyspace is replicated. */
class ServerTopology {
  /** As it was found first: what was read and written until then is where this says. */
  #first: string | undefined;
  #unsafe: string | undefined;

  /** Looks how the keyspace is replicated now: one small query. To be called every half a minute or so. */
  async look({ cassandra: { client }, config }: AppContext): Promise<void> {
    const topology = await readTopology(client, config.cassandra.keyspace);
    const now = topology.replication && replicationTold(topology.replication);
    this.#first ??= now;
    this.#unsafe ??= whyUnsafe(topology, config.cassandra) ?? this.#whyChanged(now);
  }

  /** Why it cannot be worked with, for whoever runs the server; `undefined` where it can, or was never looked at. */
  get unsafe(): string | undefined {
    return this.#unsafe;
  }

  /** A new replica has nothing until it is repaired, and two of them may be a majority. */
  #whyChanged(now: string | undefined): string | undefined {
    if (now === this.#first) return undefined;
    return (
      `The keyspace was replicated by ${String(this.#first)} when this server began, and then by ${String(now)}. Rebuild what is ` +
      'new, repair, then start this server again, also where the replication is as it was. See "Data centres" in docs/operations.md.'
    );
  }
}

/** Why this server may change nothing now, as part of a sentence; `undefined` when it may. */
export function whyUntrusted(app: AppContext): string | undefined {
  if (serverClock(app).isWrong(app)) return 'the clock of this server is wrong';
  return serverTopology(app).unsafe === undefined ? undefined : 'the data is not replicated as this server needs it';
}

/**
 * Lets a change begin, if this server may be trusted with it.
 * @throws `OVERLOADED` (503): another server may do it
 */
export function mustBeTrusted(app: AppContext): void {
  const reason = whyUntrusted(app);
  if (reason === undefined) return;
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  throw overloaded(`${sentence}, so that it changes nothing.`, RETRY_AFTER_SECONDS);
}
