import { errorOf, type World } from './world.ts';

/** As `src/cassandra/timestamps.ts`: a clock that went back by more was set, in microseconds. */
const SET_BACK = 4_000_000;

/** A server process: what it waits for never comes once it is dead, and later while it is stopped. */
export class Process {
  readonly dataCentre: string;
  readonly #world: World;
  #isAlive = true;
  readonly #mourners: (() => void)[] = [];
  #stoppedUntil = 0;
  /** How far its clock is off, in milliseconds. */
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
  steady = () => this.#world.now - this.#steadyOff;

  /** Somebody, or something, sets its clock. */
  setClock(off: number): void {
    this.#clockOff = Math.round(off);
  }

  /** The write timestamp of a plain statement, in microseconds: what the driver makes of the clock. */
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

  /** @param isDying whether it dies soon after it goes on */
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

  /** Something that somebody waits for who does not die with it: their connection breaks when it dies. */
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

  /** Lets the process go on, if it can. */
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
