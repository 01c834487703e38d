import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { untilKnown } from '../cassandra/retries.ts';
import { HIGHEST_TOKEN, LOWEST_TOKEN } from '../cassandra/ring.ts';
import { applied, each, first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { settledFor } from '../transactions/operations.ts';
import { insertLease, scanLeases, selectLease, updateLease } from './tables.ts';

/** A holder whose heartbeat has not changed for this long is treated as dead. */
const LEASE_MS = 10_000;
/**
 * The interval at which the holder raises the heartbeat and the others read it, three times within
 * `LEASE_MS`.
 */
const HEARTBEAT_MS = 2_500;
const LOOK_MS = 1_000;
/**
 * The time after a server has started or ended during which the others read the lease on every
 * call. A server that ends gives its leases back a moment before.
 */
const UNSETTLED_MS = 6_000;
/** Far more than the number of a lease's tenures between a backup and its restore. */
const TENURES_LOST_MAX = 10_000;
/** The holder of a lease that was given back. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The leases of this process, by name. */
const leases = new Map<string, Lease>();
new Gauge({
  name: 'lease_held',
  help:
    '1 if this server holds the lease on the work, 0 if it does not or is not certain; ' +
    'each lease has at most one holder',
  labelNames: ['lease'],
  // A server that may change nothing, or gets no answer, would report an old state.
  collect() {
    for (const [lease, { isSure }] of leases) this.set({ lease }, isSure ? 1 : 0);
  },
});

/**
 * Returns true if a time has passed since a moment, or if the clock was set back to before that
 * moment.
 */
const isOver = (since: number, ms: number, now: number) => now - since >= ms || now < since;

/**
 * A lease on work that one server at a time does, as seen by one of the servers. Another server
 * takes over when the heartbeat stops. An idle lease costs each server one statement per
 * {@link HEARTBEAT_MS}: a conditional write for the holder, which also checks that the lease is
 * still its own, and a plain read for the others. The condition of a claim catches what such a read
 * misses.
 */
export class Lease {
  readonly #name: string;
  readonly #holder: string;
  #now = () => Date.now();
  #held: { readonly epoch: number; readonly heartbeat: number; readonly heldAt: number } | undefined;
  /** The lease of another server as last read, and the time since which it is unchanged. */
  #seen: { readonly epoch: number; readonly heartbeat: number; readonly since: number } | undefined;
  #lookedAt: number | undefined;
  #asking: Promise<boolean> | undefined;
  #runEpoch: number | undefined;

  /**
   * @param name the name of the work
   * @param holder an id of this server
   */
  constructor(name: string, holder: string) {
    this.#name = name;
    this.#holder = holder;
    leases.set(name, this);
  }

  /** True if this server holds the lease and has confirmed it within `LEASE_MS`. */
  get isSure(): boolean {
    return this.#held !== undefined && !isOver(this.#held.heldAt, LEASE_MS, this.#now());
  }

  /**
   * The number of the tenure, from 1, if this server holds the lease; as of the last {@link hold}.
   */
  get epoch(): number | undefined {
    return this.#held?.epoch;
  }

  /**
   * Returns whether this server holds the lease. It takes the lease if it is free or its holder is
   * dead. Holders and candidates call it about every second while there is work.
   */
  hold(app: AppContext): Promise<boolean> {
    this.#asking ??= this.#ask(app).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /**
   * Begins a run of the work under the lease. Returns whether this server holds it, like {@link
   * hold}.
   * @param forget called if the epoch has changed since the run before, because another server may
   *   have worked meanwhile
   */
  async beginRun(app: AppContext, forget: () => void): Promise<boolean> {
    const isHeld = await this.hold(app);
    if (this.epoch !== this.#runEpoch) forget();
    this.#runEpoch = this.epoch;
    return isHeld;
  }

  /** The epoch in which the current run began. */
  get runEpoch(): number | undefined {
    return this.#runEpoch;
  }

  /**
   * Returns whether this server still holds its lease, for long work. It never takes the lease
   * again.
   */
  async keep(app: AppContext): Promise<boolean> {
    return this.#held !== undefined && this.hold(app);
  }

  /**
   * Gives the lease back when this server ends, so that another one takes it at its next read. The
   * work under it must have ended.
   */
  async release(app: AppContext): Promise<void> {
    if (this.#held === undefined) return;

    const { epoch, heartbeat } = this.#held;
    this.#held = undefined;
    await this.#replace(app, NOBODY, { epoch, heartbeat }, { epoch, heartbeat: heartbeat + 1 });
  }

  /**
   * Does long work while this server holds the lease.
   * @param work gets a signal that is aborted when the lease is lost
   */
  async during<Result>(app: AppContext, work: (lost: AbortSignal) => Promise<Result>): Promise<Result> {
    const done = new AbortController();
    const lost = new AbortController();
    const heartbeats = (async () => {
      while (!done.signal.aborted && !lost.signal.aborted) {
        await sleep(LOOK_MS, undefined, { signal: done.signal }).catch(() => undefined);
        // If a heartbeat fails because of Cassandra's state, the next try replaces it, or a
        // candidate takes the lease.
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
    this.#now = () => app.clock().getTime();
    const now = this.#now();
    if (this.#held) return isOver(this.#held.heldAt, HEARTBEAT_MS, now) ? this.#raise(app, this.#held, now) : true;

    const isDue = this.#lookedAt === undefined || isOver(this.#lookedAt, HEARTBEAT_MS, now);
    if (!isDue && settledFor(app) > UNSETTLED_MS) return false;
    this.#lookedAt = now;
    return this.#claim(app, now);
  }

  /** Raises the heartbeat, if no other server has taken the lease. */
  async #raise(app: AppContext, { epoch, heartbeat }: { epoch: number; heartbeat: number }, now: number) {
    const lease = { epoch, heartbeat: heartbeat + 1 };
    const result = await this.#replace(app, this.#holder, { epoch, heartbeat }, lease);
    // Only the owner of an epoch raises its heartbeat, so these values are from this server's own
    // attempt whose answer was lost.
    const isOwn =
      !result.applied && result.current?.epoch === lease.epoch && result.current.heartbeat === lease.heartbeat;
    return this.#took(app, result.applied || isOwn, lease, now);
  }

  async #claim(app: AppContext, now: number): Promise<boolean> {
    const found = await first(app.cassandra, selectLease, { name: this.#name });
    if (!found) {
      const lease = { epoch: 1, heartbeat: 0 };
      const own = { name: this.#name, holder: this.#holder, ...lease };
      const taken = await untilKnown(app.cassandra, () => applied(app.cassandra, insertLease, own));
      return this.#took(app, taken.applied, lease, now);
    }

    const { holder, epoch, heartbeat } = found;
    if (holder !== this.#holder && holder !== NOBODY) {
      if (this.#seen?.epoch !== epoch || this.#seen.heartbeat !== heartbeat) {
        this.#seen = { epoch, heartbeat, since: now };
        return false;
      }
      if (now - this.#seen.since < LEASE_MS) return false;
    }
    const lease = { epoch: epoch + 1, heartbeat: 0 };
    return this.#took(app, (await this.#replace(app, this.#holder, { epoch, heartbeat }, lease)).applied, lease, now);
  }

  #replace(
    app: AppContext,
    holder: string,
    current: { epoch: number; heartbeat: number },
    lease: { epoch: number; heartbeat: number },
  ) {
    const own = { name: this.#name, holder, ...lease };
    const values = { ...own, current_epoch: current.epoch, current_heartbeat: current.heartbeat };
    return untilKnown(app.cassandra, () => applied(app.cassandra, updateLease, values));
  }

  #took(app: AppContext, isTaken: boolean, lease: { epoch: number; heartbeat: number }, now: number): boolean {
    // A late answer proves nothing, because another server may have taken the lease since.
    const isInTime = !isOver(now, LEASE_MS, app.clock().getTime());
    // If the answer to a claim was lost, the lease may be ours without being held: it is then
    // claimed again with a new epoch.
    this.#held = isTaken && isInTime ? { ...lease, heldAt: now } : undefined;
    return this.#held !== undefined;
  }
}

/**
 * Raises the epochs of all leases after they were restored from a backup. Write timestamps contain
 * epochs, and those written since the backup must lose to the next holder's.
 */
export async function raiseEpochs({ cassandra }: AppContext): Promise<void> {
  const all = { above: LOWEST_TOKEN, up_to: HIGHEST_TOKEN };
  for await (const { name, epoch, heartbeat } of each(cassandra, scanLeases, all)) {
    const raised = { name, holder: NOBODY, epoch: epoch + TENURES_LOST_MAX, heartbeat: 0 };
    const values = { ...raised, current_epoch: epoch, current_heartbeat: heartbeat };
    await untilKnown(cassandra, () => applied(cassandra, updateLease, values));
  }
}
