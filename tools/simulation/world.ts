import { Chance } from '../support/chance.ts';

/** The virtual time after which a wait fails. Every possible event has occurred long before. */
const GIVE_UP_AFTER_MS = 1_200_000;

/**
 * A virtual clock with all future events, and a seeded random generator. Nothing in a simulation
 * takes real time, and a seed always gives the same run.
 */
export class World extends Chance {
  now = Date.UTC(2026, 0, 1);
  steps = 0;
  #sequence = 0;
  /** A binary heap, earliest first. */
  readonly #events: { at: number; sequence: number; happen: () => void }[] = [];

  /** Schedules an event after some milliseconds. */
  after(milliseconds: number, happen: () => void): void {
    const heap = this.#events;
    const event = { at: this.now + milliseconds, sequence: this.#sequence++, happen };
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isEarlier(event, heap[parent])) break;
      heap[index] = heap[parent] ?? event;
      index = parent;
    }
    heap[index] = event;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(milliseconds, resolve);
    });
  }

  /**
   * Advances the clock by some milliseconds without running events. Events in that time run at its
   * end.
   */
  pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  /**
   * Runs events one after the other until a condition holds. A step is one event and all of its
   * immediate consequences.
   */
  async runUntil(isSo: () => boolean): Promise<void> {
    const deadline = this.now + GIVE_UP_AFTER_MS;
    const step = (): boolean => {
      if (isSo()) return true;
      if (this.now > deadline) throw new Error(`this condition was never true: ${isSo.toString()}`);
      const event = this.#next();
      if (!event) throw new Error('nothing is left to happen');
      this.now = Math.max(this.now, event.at);
      this.steps++;
      event.happen();
      return false;
    };
    while (!(await manySteps(step)));
  }

  #next() {
    const heap = this.#events;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || first === last) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const [left, right] = [heap[child], heap[child + 1]];
      if (right && left && isEarlier(right, left)) child++;
      const earlier = heap[child];
      if (!earlier || !isEarlier(earlier, last)) break;
      heap[index] = earlier;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

interface Event {
  readonly at: number;
  readonly sequence: number;
}
const isEarlier = (one: Event, other: Event | undefined) =>
  other !== undefined && (one.at < other.at || (one.at === other.at && one.sequence < other.sequence));

export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const STEPS_AT_ONCE = 256;

/**
 * Takes some steps. Between two steps, all pending microtasks and ticks run: promises, and work
 * that libraries do in the next tick. Node does so between any two immediates; a round of its event
 * loop for each would take as long as the steps themselves.
 * @param step takes one step, and returns true when all is done
 * @returns whether all is done
 */
const manySteps = (step: () => boolean) =>
  new Promise<boolean>((resolve, reject) => {
    let isDone = false;
    for (let count = 1; count <= STEPS_AT_ONCE; count++)
      setImmediate(() => {
        if (isDone) return;
        try {
          isDone = step();
          if (isDone || count === STEPS_AT_ONCE) resolve(isDone);
        } catch (error) {
          isDone = true;
          reject(errorOf(error));
        }
      });
  });
