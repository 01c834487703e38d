import { getHeapStatistics } from 'node:v8';
import { Gauge } from 'prom-client';
import { overloaded, type RequestError } from '../graphql/errors.ts';

/**
 * The bytes that requests hold in memory: their bodies from arrival on, the rows read for them, and
 * their answers until the clients have received them. The sum is bounded by the memory of this
 * process, so no number or kind of requests can exhaust it.
 */

/**
 * The part of the heap that requests may fill. Counted bytes take about three times as much memory
 * while they are processed, and the server itself needs the rest.
 */
const HEAP_PART = 1 / 4;
/** The part of those bytes that the requests of one address may fill, so that others have room. */
const CALLER_PART = 1 / 4;

/** The time after which a client should try again, when most requests have ended. */
const RETRY_AFTER_SECONDS = 1;

/** Bytes that are held, and their bound. */
class Room {
  readonly most: number;
  held = 0;
  /** The number of requests that share it. */
  requests = 0;

  constructor(most: number) {
    this.most = most;
  }

  fits(more: number): boolean {
    return this.held + more <= this.most;
  }
}

/** A bound for the bytes of all requests together, and for those of each caller. */
export class BytesInFlight {
  /** The maximum number of bytes for the requests of one caller. */
  readonly callerMost: number;
  readonly #all: Room;
  readonly #callers = new Map<string, Room>();

  /** @param most the maximum number of bytes for all requests together */
  constructor(most: number) {
    this.#all = new Room(most);
    this.callerMost = Math.floor(most * CALLER_PART);
  }

  /** The bytes that all requests hold. */
  get held(): number {
    return this.#all.held;
  }

  /**
   * Begins to count the bytes of a request, from 0.
   * @param name the caller's
   */
  begin(name: string): HeldBytes {
    const caller = this.#callers.get(name) ?? new Room(this.callerMost);
    if (caller.requests++ === 0) this.#callers.set(name, caller);
    return new HeldBytes(this.#all, caller, () => {
      if (--caller.requests === 0) this.#callers.delete(name);
    });
  }
}

/** Counts the bytes that one request holds. */
export class HeldBytes {
  readonly #all: Room;
  readonly #caller: Room;
  readonly #atEnd: () => void;
  #own = 0;
  #isOver = false;

  constructor(all: Room, caller: Room, atEnd: () => void) {
    this.#all = all;
    this.#caller = caller;
    this.#atEnd = atEnd;
  }

  /** Returns whether the request may hold this many additional bytes. */
  fits(more: number): boolean {
    return this.#all.fits(more) && this.#caller.fits(more);
  }

  /** Counts bytes that the request holds from now on if they fit, and returns whether they do. */
  take(more: number): boolean {
    const isRoom = this.fits(more);
    if (isRoom) this.#add(more);
    return isRoom;
  }

  /** Returns whether the request may hold this many bytes in place of those that it holds now. */
  canBecome(bytes: number): boolean {
    return bytes <= this.#own || this.fits(bytes - this.#own);
  }

  /** Sets the number of bytes that the request holds, even if they do not fit. */
  become(bytes: number): void {
    this.#add(bytes - this.#own);
  }

  /** Ends the counting. Called when no data of the request is held or processed any more. */
  end(): void {
    if (this.#isOver) return;
    this.#add(-this.#own);
    this.#isOver = true;
    this.#atEnd();
  }

  #add(more: number): void {
    if (this.#isOver) return;
    this.#all.held += more;
    this.#caller.held += more;
    this.#own += more;
  }
}

/** The bytes of all requests to this process. */
export const bytesInFlight = new BytesInFlight(getHeapStatistics().heap_size_limit * HEAP_PART);

new Gauge({
  name: 'http_bytes_in_flight',
  help: 'Bytes of bodies, rows and answers that requests hold',
  collect() {
    this.set(bytesInFlight.held);
  },
});

/** Makes the error for a request that would hold more than there is room for. */
export const noRoomError = (): RequestError =>
  overloaded('This server has no room for a request of this size now.', RETRY_AFTER_SECONDS);
