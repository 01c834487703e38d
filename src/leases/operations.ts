import { setTimeout as sleep } from 'node:timers/promises';
import { settle } from '../cassandra/settle.ts';
import { applied, first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { insertLease, selectLease, updateLease } from './tables.ts';

/** A holder whose heartbeat did not change for so long is taken to be dead. */
const LEASE_MS = 10_000;
/** So often its holder raises the heartbeat, and all others look at it: three times within that. */
const HEARTBEAT_MS = 2_500;
const LOOK_MS = 1_000;

/** Whether some time has passed since a moment; also when the clock was set back behind it. */
const isOver = (since: number, ms: number, now: number) => now - since >= ms || now < since;

/**
 * What one server at a time does, as one of the servers sees it; another one takes over when its heartbeat stops. Idle it costs
 * each server one statement in {@link HEARTBEAT_MS}: the holder a conditional write, which also tells whether the lease is still
 * its own, all others a plain read. What such a read misses, the condition of a claim finds.
 */
export class Lease {
  readonly #name: string;
  readonly #holder: string;
  #held: { readonly epoch: number; readonly heartbeat: number; readonly heldAt: number } | undefined;
  /** What another server's lease was, and since when it is so. */
  #seen: { readonly epoch: number; readonly heartbeat: number; readonly since: number } | undefined;
  #lookedAt: number | undefined;
  #asking: Promise<boolean> | undefined;
  #runEpoch: number | undefined;

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
  hold(app: AppContext): Promise<boolean> {
    this.#asking ??= this.#ask(app).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /**
   * Begins a run of what the lease is for: as {@link hold}.
   * @param forget is called where the epoch is another one than that of the run before: somebody else may have been at work since
   */
  async beginRun(app: AppContext, forget: () => void): Promise<boolean> {
    const isHeld = await this.hold(app);
    if (this.epoch !== this.#runEpoch) forget();
    this.#runEpoch = this.epoch;
    return isHeld;
  }

  /** The epoch in which the present run began. */
  get runEpoch(): number | undefined {
    return this.#runEpoch;
  }

  /** Whether this server still has the lease that it had, for work that takes long; never takes it anew. */
  async keep(app: AppContext): Promise<boolean> {
    return this.#held !== undefined && this.hold(app);
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
        if (!(await this.keep(app).catch(() => true))) lost.abort();
      }
    })();
    try {
      return await work(lost.signal);
    } finally {
      done.abort();
      await heartbeats;
    }
  }

  async #ask(app: AppContext): Promise<boolean> {
    const now = app.clock().getTime();
    if (this.#held) return isOver(this.#held.heldAt, HEARTBEAT_MS, now) ? this.#raise(app, this.#held, now) : true;

    if (this.#lookedAt !== undefined && !isOver(this.#lookedAt, HEARTBEAT_MS, now)) return false;
    this.#lookedAt = now;
    return this.#claim(app, now);
  }

  /** Raises the heartbeat, if nobody else has taken the lease. */
  async #raise(app: AppContext, { epoch, heartbeat }: { epoch: number; heartbeat: number }, now: number) {
    const lease = { epoch, heartbeat: heartbeat + 1 };
    const result = await this.#replace(app, { epoch, heartbeat }, lease);
    // Whose epoch it is raises the heartbeat, nobody else: what stands there is an own try whose answer was lost.
    const isOwn =
      !result.applied && result.current?.epoch === lease.epoch && result.current.heartbeat === lease.heartbeat;
    return this.#took(app, result.applied || isOwn, lease, now);
  }

  async #claim(app: AppContext, now: number): Promise<boolean> {
    const found = await first(app.cassandra, selectLease, { name: this.#name });
    if (!found) {
      const lease = { epoch: 1, heartbeat: 0 };
      const own = { name: this.#name, holder: this.#holder, ...lease };
      const taken = await settle(app.cassandra, () => applied(app.cassandra, insertLease, own));
      return this.#took(app, taken.applied, lease, now);
    }

    const { holder, epoch, heartbeat } = found;
    if (holder !== this.#holder) {
      if (this.#seen?.epoch !== epoch || this.#seen.heartbeat !== heartbeat) {
        this.#seen = { epoch, heartbeat, since: now };
        return false;
      }
      if (now - this.#seen.since < LEASE_MS) return false;
    }
    const lease = { epoch: epoch + 1, heartbeat: 0 };
    return this.#took(app, (await this.#replace(app, { epoch, heartbeat }, lease)).applied, lease, now);
  }

  #replace(
    app: AppContext,
    current: { epoch: number; heartbeat: number },
    lease: { epoch: number; heartbeat: number },
  ) {
    const own = { name: this.#name, holder: this.#holder, ...lease };
    const values = { ...own, current_epoch: current.epoch, current_heartbeat: current.heartbeat };
    return settle(app.cassandra, () => applied(app.cassandra, updateLease, values));
  }

  #took(app: AppContext, isTaken: boolean, lease: { epoch: number; heartbeat: number }, now: number): boolean {
    // An answer that comes so late that somebody may have taken it since tells nothing any more.
    const isInTime = !isOver(now, LEASE_MS, app.clock().getTime());
    // Also when the answer to a claim was lost and the lease is ours: the next time it is taken with a new epoch.
    this.#held = isTaken && isInTime ? { ...lease, heldAt: now } : undefined;
    return this.#held !== undefined;
  }
}
