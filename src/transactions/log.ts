import { CassandraError } from '../cassandra/errors.ts';
import { sharedOf, write, type Cassandra } from '../cassandra/statement.ts';
import { RELEASE } from '../config/release.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';
import { waitAfter } from '../time/backoff.ts';
import { deleteIncarnation, deleteTick, EVERYBODY, insertBeat, insertEntry, STRUCK_OUT, WRITTEN } from './tables.ts';

/**
 * The transaction log of a process. It belongs to an incarnation: a run of the process during which
 * no other server can have taken it over, because its heartbeat continues. Each entry is in the
 * tick of the latest acknowledged beat. When all transactions of a tick are complete, the tick is
 * struck out as a whole. All times are of the process's own monotonic clock, so the time of day
 * does not matter.
 */

/** The maximum age of a beat that a process relies on. */
const OWNED_MS = 3_000;
/**
 * The time after which a server that still sees the same beat takes the incarnation over. The
 * margin over `OWNED_MS` is far larger than the differences of monotonic clocks.
 */
export const TAKEN_AFTER_MS = 4_000;
/** The maximum number of attempts. Only a process that stalls repeatedly needs more. */
const TRIES = 6;
/**
 * The row of an incarnation is deleted with a write timestamp this much later than its latest beat,
 * in microseconds, so that it is later than any beat still in flight. A tombstone with the latest
 * possible timestamp would never be purged from a partition that is always written to.
 */
const REMOVED_AFTER = 3_600_000_000n;
/** The maximum number of incomplete entries of a process, which are kept in memory. */
const INCOMPLETE_MAX = 5_000;
/** The time after which a client should try again. Cassandra usually answers again earlier. */
const RETRY_AFTER_SECONDS = 5;
/**
 * The delay before the process itself retries a failed transaction, so that the cause of the
 * failure may have ended.
 */
const FIRST_RETRY_MS = 2_000;

/** The logged data of a transaction. */
export interface Logged {
  readonly transaction_id: string;
  readonly kind: string;
  readonly payload: string;
  readonly begun_at: Date;
  /** The id of the request that began it; '' if none did. */
  readonly request_id: string;
}

/** The place of an entry in the log. */
export interface Place {
  readonly of: Incarnation;
  readonly tick: number;
  readonly transactionId: string;
}

/**
 * A transaction that this process must finish: one of its own that failed, or one that it has taken
 * over.
 */
export interface Unfinished {
  readonly logged: Logged;
  readonly places: readonly Place[];
  /** The time since which it is known to be unfinished. */
  readonly since: number;
  tries: number;
  /** The time of the next try. */
  nextAt: number;
  isUnderWay: boolean;
}

/** An incarnation of this process, or one that it has taken over. */
export class Incarnation {
  readonly id: string;
  readonly isOwn: boolean;
  /** The ticks that are not struck out, each with its incomplete transactions. */
  readonly ticks = new Map<number, Set<string>>();
  /** The number of the latest beat. */
  beat = 0;
  /**
   * The write timestamp of the latest beat. Only the order within one incarnation matters, not the
   * time.
   */
  stamp: bigint;
  /** The latest beat that was acknowledged in time, 0 if none. */
  tick = 0;
  /**
   * The time at which the latest acknowledged beat began; that of the first beat while none is
   * acknowledged.
   */
  #begun = 0;
  #isEnded = false;

  constructor(id: string, isOwn: boolean, stamp = 0n) {
    this.id = id;
    this.isOwn = isOwn;
    this.stamp = stamp;
  }

  /** Returns true if no other server can have taken it over yet. */
  isOwned(now: number): boolean {
    return this.tick > 0 && !this.isLost(now);
  }

  /**
   * Returns true if another server may have taken it over. An incarnation without any beat is not
   * lost; its first beat is tried again.
   */
  isLost(now: number): boolean {
    return this.#isEnded || (this.tick > 0 && now - this.#begun >= OWNED_MS);
  }

  /**
   * Begins a beat.
   * @param time the time of day, in microseconds
   * @returns the number of the beat
   */
  begin(now: number, time: bigint): number {
    if (this.beat === 0) this.#begun = now;
    this.stamp = time > this.stamp ? time : this.stamp + 1n;
    return ++this.beat;
  }

  /**
   * Records that a beat was acknowledged. If that took too long, a server that saw the beat before
   * it may have taken the incarnation over.
   */
  acknowledge(beat: number, begun: number, now: number): void {
    if (now - this.#begun >= OWNED_MS) {
      this.end();
      return;
    }
    this.tick = beat;
    this.#begun = begun;
  }

  /** Ends the incarnation. After that, nothing relies on it. */
  end(): void {
    this.#isEnded = true;
  }

  /**
   * The ticks that may have entries, including entries that are written while the beat that stores
   * these ticks is in flight.
   */
  get openTicks(): number[] {
    return [...new Set([...this.ticks.keys(), ...(this.tick > 0 ? [this.tick] : [])])];
  }

  open(tick: number, transactionId: string): Place {
    let incomplete = this.ticks.get(tick);
    if (!incomplete) this.ticks.set(tick, (incomplete = new Set()));
    incomplete.add(transactionId);
    return { of: this, tick, transactionId };
  }
}

/** The transaction log of this process. */
export const transactionLog = perProcess(() => new TransactionLog());

class TransactionLog {
  /** True if this process finishes the transactions of dead processes. */
  takesOver = false;
  /**
   * The number of incarnations at the last read whose id is lower than that of this process. No two
   * servers have the same rank.
   */
  rank = 0;
  /**
   * The time, by the monotonic clock, of the last read that found other servers than the read
   * before.
   */
  othersChangedAt = -Infinity;
  /** True if a server of a later release takes over others, as of the last read. */
  isOutdated = false;
  /**
   * The oldest release of the servers that are alive or have left unfinished transactions, as of
   * the last read; unset before it.
   */
  oldestAlive: string | undefined;
  readonly unfinished = new Set<Unfinished>();
  /**
   * Former incarnations of this process that are not struck out yet, and incarnations that it has
   * taken over.
   */
  readonly others = new Map<string, Incarnation>();
  #own: Incarnation | undefined;
  #beating: Promise<void> | undefined;
  #incomplete = 0;

  /** The current incarnation, if there is one. */
  get own(): Incarnation | undefined {
    return this.#own;
  }

  /**
   * Checks that there is room for another transaction.
   * @throws `OVERLOADED` (503)
   */
  requireRoom(): void {
    if (this.#incomplete >= INCOMPLETE_MAX)
      throw overloaded('Too many changes are in progress or unfinished.', RETRY_AFTER_SECONDS);
  }

  /**
   * Logs a transaction. When it returns, the entry was written before any server can have taken the
   * incarnation over, so a server that takes it over finds the entry.
   * @throws {CassandraError} if nothing was done
   */
  async write(app: AppContext, logged: Logged): Promise<Place> {
    for (let tries = 0; tries < TRIES; tries++) {
      const own = this.#own;
      if (!own?.isOwned(app.monotonicNow())) {
        await this.#beginAgain(app);
        continue;
      }
      const place = own.open(own.tick, logged.transaction_id);
      this.#incomplete++;
      try {
        const { of, tick } = place;
        await write(app.cassandra, insertEntry, { incarnation: of.id, tick, ...logged, version: WRITTEN });
      } catch (error) {
        this.complete(place);
        throw error;
      }
      if (own.isOwned(app.monotonicNow())) return place;
      this.complete(place);
    }
    throw new CassandraError('refused', 'this process stalls too often to log anything', undefined);
  }

  /** Marks a transaction as complete. It no longer needs its entry. */
  complete({ of, tick, transactionId }: Place): void {
    if (of.ticks.get(tick)?.delete(transactionId) && of.isOwn) this.#incomplete--;
  }

  /** Keeps a transaction of this process that failed after it was logged. It is finished later. */
  keepUnfinished(app: AppContext, logged: Logged, places: readonly Place[]): void {
    const now = app.monotonicNow();
    this.unfinished.add({ logged, places, since: now, tries: 0, nextAt: now + FIRST_RETRY_MS, isUnderWay: false });
  }

  /**
   * Takes an incarnation over.
   * @param ticks the entries of each tick that it may have written to
   * @param stamp the write timestamp of its latest beat
   */
  takeOver(app: AppContext, id: string, ticks: ReadonlyMap<number, readonly Logged[]>, stamp: bigint): void {
    const incarnation = new Incarnation(id, false, stamp);
    const now = app.monotonicNow();
    this.others.set(id, incarnation);
    for (const [tick, entries] of ticks) {
      // An empty tick is struck out as well, so that an entry that arrives there later is already
      // deleted.
      incarnation.ticks.set(tick, new Set());
      for (const logged of entries) {
        const places = [incarnation.open(tick, logged.transaction_id)];
        this.unfinished.add({ logged, places, since: now, tries: 0, nextAt: now, isUnderWay: false });
      }
    }
  }

  /** Leaves a taken-over incarnation to another server. */
  abandon(incarnation: Incarnation): void {
    this.others.delete(incarnation.id);
    for (const each of this.unfinished)
      if (each.places.every(({ of }) => of === incarnation)) this.unfinished.delete(each);
  }

  /** Removes a transaction that is finished. */
  finished(unfinished: Unfinished): void {
    this.unfinished.delete(unfinished);
    for (const place of unfinished.places) this.complete(place);
  }

  /** Schedules the next try of a transaction that could not be finished yet. */
  failed(app: AppContext, unfinished: Unfinished): void {
    unfinished.isUnderWay = false;
    unfinished.nextAt = app.monotonicNow() + waitAfter(++unfinished.tries);
  }

  /**
   * Sends one heartbeat, with a new incarnation if the former one may have been taken over. It is
   * called every second.
   * @throws {CassandraError} if the beat may not have been written
   */
  beat(app: AppContext): Promise<void> {
    return (this.#beating ??= this.#beat(app).finally(() => {
      this.#beating = undefined;
    }));
  }

  async #beat(app: AppContext): Promise<void> {
    const begun = app.monotonicNow();
    if (this.#own?.isLost(begun)) this.endIncarnation();
    // An incarnation whose first beat failed is tried again, so that an outage creates at most one.
    const own = (this.#own ??= new Incarnation(app.randomId(), true));
    const beat = own.begin(begun, BigInt(app.clock().getTime()) * 1_000n);

    await write(withoutWaiting(app.cassandra), insertBeat, {
      ...EVERYBODY,
      incarnation: own.id,
      beat,
      open_ticks: own.openTicks,
      takes_over: this.takesOver,
      release: RELEASE,
      version: own.stamp,
    });
    own.acknowledge(beat, begun, app.monotonicNow());
  }

  /** Ends the current incarnation: nothing more is logged in it. */
  endIncarnation(): void {
    if (!this.#own) return;
    this.#own.end();
    this.others.set(this.#own.id, this.#own);
    this.#own = undefined;
  }

  /** Begins an incarnation for the first transaction of a process, or after the process stalled. */
  async #beginAgain(app: AppContext): Promise<void> {
    try {
      await this.beat(app);
    } catch (error) {
      throw error instanceof CassandraError ? new CassandraError('refused', 'nothing can be logged', error) : error;
    }
    // If this fails, the next call strikes the ticks out, or a server that takes the incarnation
    // over.
    void this.strikeOut(app).catch(() => undefined);
  }

  /**
   * Strikes out the ticks whose transactions are complete, and deletes the incarnations that have
   * no ticks left.
   * @throws {CassandraError} if some ticks could not be struck out and are left for the next time
   */
  async strikeOut(app: AppContext): Promise<void> {
    const all = [...this.others.values(), ...(this.#own ? [this.#own] : [])];
    await Promise.all(all.map((each) => this.#strikeOut(app, each)));
  }

  async #strikeOut(app: AppContext, { id, tick: newest, ticks, stamp }: Incarnation): Promise<void> {
    const cassandra = sharedOf(app.cassandra);
    const isOver = (tick: number) => id !== this.#own?.id || tick !== newest;
    const complete = [...ticks].flatMap(([tick, incomplete]) => (incomplete.size === 0 && isOver(tick) ? tick : []));
    await Promise.all(
      complete.map(async (tick) => {
        await write(cassandra, deleteTick, { incarnation: id, tick, version: STRUCK_OUT });
        ticks.delete(tick);
      }),
    );
    if (ticks.size > 0 || id === this.#own?.id) return;

    await write(cassandra, deleteIncarnation, { ...EVERYBODY, incarnation: id, version: stamp + REMOVED_AFTER });
    this.others.delete(id);
  }

  /**
   * Ends the log with its process. It strikes out the complete transactions and leaves the others
   * to other servers.
   */
  async close(app: AppContext): Promise<void> {
    await this.#beating?.catch(() => undefined);
    // The others then immediately read the leases that this server has given back.
    if (this.takesOver) {
      this.takesOver = false;
      await this.beat(app);
    }
    this.endIncarnation();
    await this.strikeOut(app);
  }
}

/**
 * Returns the connection for a beat, which does not wait for other statements: a busy process would
 * otherwise look dead.
 */
const withoutWaiting = (cassandra: Cassandra): Cassandra => ({
  ...sharedOf(cassandra),
  atOnce: (sending) => sending(),
});
