import { setTimeout as sleep } from 'node:timers/promises';
import { settle } from '../cassandra/settle.ts';
import { applied, first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { insertLease, selectLease, updateLease } from './tables.ts';

/** A holder whose heartbeat did not change for so long is taken to be dead. */
const LEASE_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const LOOK_MS = 1_000;

/** What one server at a time does, as one of the servers sees it; another one takes over when its heartbeat stops. */
export class Lease {
  readonly #name: string;
  readonly #holder: string;
  #held: { readonly epoch: number; readonly heartbeat: number; readonly heldAt: number } | undefined;
  /** What another server's lease was, and since when it is so. */
  #seen: { readonly epoch: number; readonly heartbeat: number; readonly since: number } | undefined;

  /**
   * @param name of what is done
   * @param holder an id of this server
   */
  constructor(name: string, holder: string) {
    this.#name = name;
    this.#holder = holder;
  }

  /** Which time it is that somebody holds the lease, from 1, if this server is the one; as of the last {@link hold}. */
  get epoch(): number | undefined {
    return this.#held?.epoch;
  }

  /**
   * Whether this server has the lease; takes it when nobody does, or when its holder is dead. To be called every second or
   * so, for as long as there is something to do, by holders and by those who would be.
   */
  async hold(app: AppContext): Promise<boolean> {
    const own = { name: this.#name, holder: this.#holder };
    const now = app.clock().getTime();
    if (this.#held && now - this.#held.heldAt < HEARTBEAT_MS) return true;
    const found = await first(app.cassandra, selectLease, { name: this.#name });
    if (!found) {
      const lease = { epoch: 1, heartbeat: 0 };
      const taken = await settle(app.cassandra, () => applied(app.cassandra, insertLease, { ...own, ...lease }));
      return this.#took(taken.applied, lease, now);
    }
    const { holder, epoch, heartbeat } = found;
    if (holder !== this.#holder) {
      this.#held = undefined;
      if (this.#seen?.epoch !== epoch || this.#seen.heartbeat !== heartbeat) {
        this.#seen = { epoch, heartbeat, since: now };
        return false;
      }
      if (now - this.#seen.since < LEASE_MS) return false;
    }

    const isMine = holder === this.#holder && this.#held;
    const lease = isMine ? { epoch, heartbeat: heartbeat + 1 } : { epoch: epoch + 1, heartbeat: 0 };
    const values = { ...own, ...lease, current_epoch: epoch, current_heartbeat: heartbeat };
    const taken = await settle(app.cassandra, () => applied(app.cassandra, updateLease, values));
    return this.#took(taken.applied, lease, now);
  }

  /**
   * Does something that takes long, while this server holds the lease.
   * @param work is given a signal that is aborted when the lease is lost
   */
  async during<Result>(app: AppContext, work: (lost: AbortSignal) => Promise<Result>): Promise<Result> {
    const done = new AbortController();
    const lost = new AbortController();
    const heartbeats = (async () => {
      while (!done.signal.aborted && !lost.signal.aborted) {
        await sleep(LOOK_MS, undefined, { signal: done.signal }).catch(() => undefined);
        // Where Cassandra's state prevents a heartbeat, the next try makes up for it, or whoever waits takes the lease.
        if (!(await this.hold(app).catch(() => true))) lost.abort();
      }
    })();
    try {
      return await work(lost.signal);
    } finally {
      done.abort();
      await heartbeats;
    }
  }

  #took(isTaken: boolean, lease: { epoch: number; heartbeat: number }, now: number): boolean {
    // Also when an answer was lost and the lease is ours: the next time it is taken with a new epoch.
    this.#held = isTaken ? { ...lease, heldAt: now } : undefined;
    return isTaken;
  }
}
