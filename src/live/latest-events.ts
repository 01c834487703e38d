/**
 * The events of one subscriber. An event is made when the subscriber takes it, from all that has
 * changed by then. So events never queue, however slowly a client reads.
 */
export class LatestEvents<Event> implements AsyncIterableIterator<Event> {
  readonly #take: () => Promise<Event | undefined>;
  readonly #atEnd: () => void;
  #isDue = false;
  #isOver = false;
  #wake: () => void = () => undefined;

  /**
   * @param take makes the next event; `undefined` if nothing has changed after all
   * @param atEnd called once when the subscriber takes no more events
   */
  constructor(take: () => Promise<Event | undefined>, atEnd: () => void) {
    this.#take = take;
    this.#atEnd = atEnd;
  }

  /** Tells that there may be another event. */
  mark(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Returns the next event as soon as there is one. Only one call may wait at a time. */
  async next(): Promise<IteratorResult<Event, undefined>> {
    while (!this.#isOver) {
      if (!this.#isDue) await new Promise<void>((resolve) => (this.#wake = resolve));
      if (!this.#isDue) continue;

      this.#isDue = false;
      const event = await this.#take();
      if (event !== undefined) return { value: event, done: false };
    }
    return OVER;
  }

  /** Ends the events. A call that waits for the next one returns. */
  return(): Promise<IteratorResult<Event, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#atEnd();
      this.#wake();
    }
    return Promise.resolve(OVER);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const OVER = { value: undefined, done: true } as const;
