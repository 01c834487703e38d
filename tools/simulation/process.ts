import { errorOf, type World } from './world.ts';

/**
 * The minimum step back, in microseconds, of a clock that is treated as set, as in
 * `src/cassandra/driver-policies.ts`.
 */
const SET_BACK = 4_000_000;

/**
 * A server process. A dead process never receives the results that it waits for; a stopped one
 * receives them later.
 */
export class Process {
  readonly dataCentre: string;
  readonly #world: World;
  #isAlive = true;
  readonly #mourners: (() => void)[] = [];
  #stoppedUntil = 0;
  /** The deviation of its clock, in milliseconds. */
  #clockOff = 0;
  readonly #steadyOff: number;
  #lastTimestamp = 0;

  constructor(world: World, dataCentre: string) {
    this.#world = world;
    this.dataCentre = dataCentre;
    this.#steadyOff = world.now - world.random() * 1_000_000;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  clock = () => new Date(this.#world.now + this.#clockOff);
  monotonicNow = () => this.#world.now - this.#steadyOff;

  /** Sets its clock, like an operator or NTP. */
  setClock(off: number): void {
    this.#clockOff = Math.round(off);
  }

  /**
   * Returns the write timestamp of a plain statement, in microseconds, as the driver computes it
   * from the clock.
   */
  nextTimestamp(): number {
    const now = (this.#world.now + this.#clockOff) * 1_000;
    const wasSetBack = this.#lastTimestamp - now > SET_BACK;
    this.#lastTimestamp = Math.floor(wasSetBack ? now : Math.max(now, this.#lastTimestamp + 1));
    return this.#lastTimestamp;
  }

  sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      this.#world.after(milliseconds, () => {
        this.deliver(resolve);
      });
    });

  /** @param isDying true if the process dies soon after it continues */
  stop(milliseconds: number, isDying: boolean): void {
    this.#stoppedUntil = this.#world.now + milliseconds;
    if (!isDying) return;
    this.#world.after(milliseconds + this.#world.random() * 10, () => {
      this.die();
    });
  }

  die(): void {
    this.#isAlive = false;
    for (const mourn of this.#mourners.splice(0)) mourn();
  }

  /** Fails a wait of another process when this process dies, because the connection breaks. */
  orDeath<Result>(result: Promise<Result>): Promise<Result | 'unknown'> {
    return new Promise((resolve, reject) => {
      const mourn = () => {
        resolve('unknown');
      };
      this.#mourners.push(mourn);
      const done = () => {
        const index = this.#mourners.indexOf(mourn);
        if (index >= 0) this.#mourners.splice(index, 1);
      };
      result.then(
        (value) => {
          done();
          resolve(value);
        },
        (error: unknown) => {
          done();
          reject(errorOf(error));
        },
      );
    });
  }

  /** Continues the process, if that is possible. */
  deliver(proceed: () => void): void {
    if (!this.#isAlive) return;
    const rest = this.#stoppedUntil - this.#world.now;
    if (rest > 0) {
      this.#world.after(rest + this.#world.random(), () => {
        this.deliver(proceed);
      });
    } else proceed();
  }
}
