import { CassandraError } from '../cassandra/errors.ts';
import { sharedOf, write, type Cassandra } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';
import { waitAfter } from '../time/backoff.ts';
import { deleteIncarnation, deleteTick, EVERYBODY, insertBeat, insertEntry, STRUCK_OUT, WRITTEN } from './tables.ts';

/**
 * The transaction log of a process. It belongs to an incarnation: a run of the process during which nobody can have taken it
 * over, as its heart beats. Each entry lies in the tick of the newest acknowledged beat; once all transactions of a tick are complete it
 * is struck out as a whole. All times are of the process's own steady clock; what the time of day is does not matter.
 */

/** A process relies on a beat that it began less than this ago. */
const OWNED_MS = 3_000;
/** Whoever sees the same beat for so long takes the incarnation over; the difference is far more than steady clocks have. */
export const TAKEN_AFTER_MS = 4_000;
/** Only a process that stands still again and again needs more. */
const TRIES = 6;
/**
 * The row of an incarnation is removed with a write timestamp so much later than its newest beat, in microseconds: later than any beat
 * that is still under way. Not than all: what is newer than everything is never purged from a partition that is always written to.
 */
const REMOVED_AFTER = 3_600_000_000n;
/** So many entries of a process are incomplete at most; they are kept in its memory. */
const INCOMPLETE_MAX = 5_000;
/** Longer than it usually takes until Cassandra answers again. */
const RETRY_AFTER_SECONDS = 5;
/** What failed is tried again by its own process after so long: whatever kept it from being finished may be over by then. */
const FIRST_RETRY_MS = 2_000;

/** What was logged of a transaction. */
export interface Logged {
  readonly transaction_id: string;
  readonly kind: string;
  readonly payload: string;
  readonly begun_at: Date;
}

/** Where an entry is. */
export interface Place {
  readonly of: Incarnation;
  readonly tick: number;
  readonly transactionId: string;
}

/** A transaction that is to be finished by this process: one of its own that failed, or one that it has taken over. */
export interface Unfinished {
  readonly logged: Logged;
  readonly places: readonly Place[];
  /** Since when it is known to be unfinished. */
  readonly since: number;
  tries: number;
  /** When it is to be tried again. */
  nextAt: number;
  isUnderWay: boolean;
}

/** An incarnation, of this process or one that is taken over. */
export class Incarnation {
  readonly id: string;
  readonly isOwn: boolean;
  /** Those that are not struck out, each with its transactions that are not complete. */
  readonly ticks = new Map<number, Set<string>>();
  /** The newest beat. */
  beat = 0;
  /** The write timestamp of the newest beat. Only the order of those of one incarnation matters, whatever the clock says. */
  stamp: bigint;
  /** The newest beat that was acknowledged in time, 0 for none. */
  tick = 0;
  /** When that was begun; the first one, as long as none was acknowledged. */
  #begun = 0;
  #isEnded = false;

  constructor(id: string, isOwn: boolean, stamp = 0n) {
    this.id = id;
    this.isOwn = isOwn;
    this.stamp = stamp;
  }

  /** Whether nobody can have taken it over yet. */
  isOwned(now: number): boolean {
    return this.tick > 0 && !this.isLost(now);
  }

  /** Whether somebody may have taken it over. One without any beat so far is not lost, but tried again. */
  isLost(now: number): boolean {
    return this.#isEnded || (this.tick > 0 && now - this.#begun >= OWNED_MS);
  }

  /**
   * A beat is begun.
   * @param time of day, in microseconds
   */
  begin(now: number, time: bigint): number {
    if (this.beat === 0) this.#begun = now;
    this.stamp = time > this.stamp ? time : this.stamp + 1n;
    return ++this.beat;
  }

  /** A beat was acknowledged. If that took too long, whoever saw the one before it may have taken the incarnation over. */
  acknowledge(beat: number, begun: number, now: number): void {
    if (now - this.#begun >= OWNED_MS) {
      this.end();
      return;
    }
    this.tick = beat;
    this.#begun = begun;
  }

  /** It is relied on no more. */
  end(): void {
    this.#isEnded = true;
  }

  /** Where its entries may be, those included that come while the beat that says so is under way. */
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
  /** Whether this process finishes what others leave. */
  takesOver = false;
  /** How many of the incarnations that were there at the last look have a lower id than the own one: no two have the same. */
  rank = 0;
  readonly unfinished = new Set<Unfinished>();
  /** Former incarnations of this process that are not struck out yet, and those of others that it has taken over. */
  readonly others = new Map<string, Incarnation>();
  #own: Incarnation | undefined;
  #beating: Promise<void> | undefined;
  #incomplete = 0;

  /** The present incarnation, if there is one. */
  get own(): Incarnation | undefined {
    return this.#own;
  }

  /**
   * Lets a transaction begin, if there is room for it.
   * @throws `OVERLOADED` (503)
   */
  mustHaveRoom(): void {
    if (this.#incomplete >= INCOMPLETE_MAX)
      throw overloaded('Too many changes are under way or to be finished.', RETRY_AFTER_SECONDS);
  }

  /**
   * Logs a transaction. When it returns, nobody had taken the incarnation over yet when the entry was there: whoever does will find it.
   * @throws {CassandraError} nothing was done
   */
  async write(app: AppContext, logged: Logged): Promise<Place> {
    for (let tries = 0; tries < TRIES; tries++) {
      const own = this.#own;
      if (!own?.isOwned(app.steady())) {
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
      if (own.isOwned(app.steady())) return place;
      this.complete(place);
    }
    throw new CassandraError('refused', 'this process stands still too often to log anything', undefined);
  }

  /** The transaction needs its entry no more. */
  complete({ of, tick, transactionId }: Place): void {
    if (of.ticks.get(tick)?.delete(transactionId) && of.isOwn) this.#incomplete--;
  }

  /** A transaction of this process failed after it was logged: it is to be finished later. */
  leave(app: AppContext, logged: Logged, places: readonly Place[]): void {
    const now = app.steady();
    this.unfinished.add({ logged, places, since: now, tries: 0, nextAt: now + FIRST_RETRY_MS, isUnderWay: false });
  }

  /**
   * Takes an incarnation over.
   * @param ticks what is logged in each that it may have written to
   * @param stamp the write timestamp of its newest beat
   */
  takeOver(app: AppContext, id: string, ticks: ReadonlyMap<number, readonly Logged[]>, stamp: bigint): void {
    const incarnation = new Incarnation(id, false, stamp);
    const now = app.steady();
    this.others.set(id, incarnation);
    for (const [tick, entries] of ticks) {
      // Also where nothing is found: what lands there later must be dead.
      incarnation.ticks.set(tick, new Set());
      for (const logged of entries) {
        const places = [incarnation.open(tick, logged.transaction_id)];
        this.unfinished.add({ logged, places, since: now, tries: 0, nextAt: now, isUnderWay: false });
      }
    }
  }

  /** Leaves what was taken over to somebody else. */
  abandon(incarnation: Incarnation): void {
    this.others.delete(incarnation.id);
    for (const each of this.unfinished)
      if (each.places.every(({ of }) => of === incarnation)) this.unfinished.delete(each);
  }

  /** A transaction is finished. */
  finished(unfinished: Unfinished): void {
    this.unfinished.delete(unfinished);
    for (const place of unfinished.places) this.complete(place);
  }

  /** A transaction could not be finished yet. */
  failed(app: AppContext, unfinished: Unfinished): void {
    unfinished.isUnderWay = false;
    unfinished.nextAt = app.steady() + waitAfter(++unfinished.tries);
  }

  /**
   * Lets the heart beat once; with a new incarnation where the former one may have been taken over. To be called every second.
   * @throws {CassandraError} it is not known to have beaten
   */
  beat(app: AppContext): Promise<void> {
    return (this.#beating ??= this.#beat(app).finally(() => {
      this.#beating = undefined;
    }));
  }

  async #beat(app: AppContext): Promise<void> {
    const begun = app.steady();
    if (this.#own?.isLost(begun)) this.endIncarnation();
    // One whose first beat failed is tried again, so that an outage makes no more than one.
    const own = (this.#own ??= new Incarnation(app.randomId(), true));
    const beat = own.begin(begun, BigInt(app.clock().getTime()) * 1_000n);

    await write(withoutWaiting(app.cassandra), insertBeat, {
      ...EVERYBODY,
      incarnation: own.id,
      beat,
      open_ticks: own.openTicks,
      takes_over: this.takesOver,
      version: own.stamp,
    });
    own.acknowledge(beat, begun, app.steady());
  }

  /** Nothing more is logged in the present incarnation. */
  endIncarnation(): void {
    if (!this.#own) return;
    this.#own.end();
    this.others.set(this.#own.id, this.#own);
    this.#own = undefined;
  }

  /** For the first transaction of a process, and for one that stood still. */
  async #beginAgain(app: AppContext): Promise<void> {
    try {
      await this.beat(app);
    } catch (error) {
      throw error instanceof CassandraError ? new CassandraError('refused', 'nothing can be logged', error) : error;
    }
    // What fails now is done the next time, or by whoever takes it over.
    void this.strikeOut(app).catch(() => undefined);
  }

  /**
   * Strikes out the ticks whose transactions are complete, and removes the incarnations of which nothing is left.
   * @throws {CassandraError} what is left is to be struck out the next time
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

  /** Ends the log with its process: what is complete is struck out, what is not is left to others. */
  async close(app: AppContext): Promise<void> {
    await this.#beating?.catch(() => undefined);
    this.endIncarnation();
    await this.strikeOut(app);
  }
}

/** The connection for a beat, which waits for no other statement: otherwise too much to do would look like death. */
const withoutWaiting = (cassandra: Cassandra): Cassandra => ({
  ...sharedOf(cassandra),
  atOnce: (sending) => sending(),
});
