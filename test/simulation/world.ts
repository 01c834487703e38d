/** In virtual time: whatever is to come to be is there long before. */
const GIVE_UP_AFTER_MS = 600_000;

/**
 * A virtual clock with everything that is to happen, and seeded chance. Nothing in a simulation takes real time, and a
 * seed always gives the same run.
 */
export class World {
  now = Date.UTC(2026, 0, 1);
  steps = 0;
  #state: number;
  #sequence = 0;
  /** A binary heap, the earliest first. */
  readonly #events: { at: number; sequence: number; happen: () => void }[] = [];

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1: mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.random() * 16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Lets something happen after a while, in milliseconds. */
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

  /** Lets events happen, one after the other, until something is so; each and all that follows from it at once is a step. */
  async runUntil(isSo: () => boolean): Promise<void> {
    const deadline = this.now + GIVE_UP_AFTER_MS;
    while (!isSo()) {
      if (this.now > deadline) throw new Error(`this never came to be: ${isSo.toString()}`);
      const event = this.#next();
      if (!event) throw new Error('nothing is left to happen');
      this.now = Math.max(this.now, event.at);
      this.steps++;
      event.happen();
      // Everything that waits for nothing but this goes on now: promises, and what libraries do in the next tick.
      await new Promise((resolve) => setImmediate(resolve));
    }
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
