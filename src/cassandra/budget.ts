import { atMost } from './at-once.ts';
import { bytesOf } from './bytes.ts';
import { endOfTick } from './soon.ts';

/** What of a budget is used up; `CLIENT`: nobody waits for the answer any more. */
export type Spent = 'ROWS' | 'BYTES' | 'TIME' | 'CLIENT';

/** A statement that was not sent, or rows that were not looked at, as the request's budget is spent. */
export class BudgetError extends Error {
  override name = 'BudgetError';
  readonly spent: Spent;
  /** @param message for the caller: what to do next */
  constructor(spent: Spent, message: string) {
    super(message);
    this.spent = spent;
  }
}

/** What one request may ask of Cassandra. */
export interface Allowance {
  readonly rowsMax: number;
  /** As {@link bytesOf} counts them. */
  readonly bytesMax: number;
  readonly milliseconds: number;
  readonly clock: () => Date;
  /** Whether the client has closed its connection. */
  readonly isClientGone: () => boolean;
}

/** How much rows are. */
export interface Size {
  readonly rows: number;
  /** As {@link bytesOf} counts them. */
  readonly bytes: number;
}

export const sizeOf = (rows: readonly Readonly<Record<string, unknown>>[]): Size => ({
  rows: rows.length,
  bytes: rows.reduce((bytes, row) => bytes + bytesOf(row), 0),
});

/** So many statements of one request are under way at most; its others wait, so that they leave room for other requests. */
const STATEMENTS_AT_ONCE = 32;

/** Counts what one request asks of Cassandra. Once it is spent, nothing more is sent for the request. */
export class Budget {
  readonly #allowance: Allowance;
  #deadline: number | undefined;
  #isAfterChange = false;
  readonly #atOnce = atMost(STATEMENTS_AT_ONCE);
  #rows = 0;
  #bytes = 0;
  #error: BudgetError | undefined;
  #underWay = 0;
  #nothingUnderWay: PromiseWithResolvers<void> | undefined;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /**
   * Starts the time.
   * @param isAfterChange whether the request has changed something, which it is about to show
   */
  begin(isAfterChange = false): void {
    const { clock, milliseconds } = this.#allowance;
    // A request with several changes does not get more time with each.
    this.#deadline ??= clock().getTime() + milliseconds;
    this.#isAfterChange = isAfterChange;
  }

  get isAfterChange(): boolean {
    return this.#isAfterChange;
  }

  get hasBegun(): boolean {
    return this.#deadline !== undefined;
  }

  /** How much came. */
  get spent(): Size {
    return { rows: this.#rows, bytes: this.#bytes };
  }

  /** Why nothing more is sent; `undefined` while there is something left. */
  get error(): BudgetError | undefined {
    return this.#error;
  }

  /** Notes what the request waits for as under way, until it has come or failed. */
  during<Result>(coming: Promise<Result>): Promise<Result> {
    this.#underWay++;
    const end = () => {
      if (--this.#underWay > 0) return;
      this.#nothingUnderWay?.resolve();
      this.#nothingUnderWay = undefined;
    };
    coming.then(end, end);
    return coming;
  }

  /** Waits until nothing is under way, nor anything that has followed from the last of it. */
  async idle(): Promise<void> {
    await endOfTick();
    while (this.#underWay > 0) {
      this.#nothingUnderWay ??= Promise.withResolvers();
      await this.#nothingUnderWay.promise;
      await endOfTick();
    }
  }

  /** Does what sends a statement, when those before it leave room. */
  inTurn<Result>(sending: () => Promise<Result>): Promise<Result> {
    return this.during(this.#atOnce(sending));
  }

  /**
   * Before a statement is sent.
   * @throws {BudgetError} when nothing is left
   */
  check(): void {
    const { clock, isClientGone, milliseconds } = this.#allowance;
    if (this.#error) throw this.#error;
    if (isClientGone()) this.#end('CLIENT', 'Nobody waits for the answer of this request any more.');
    if (this.#deadline !== undefined && clock().getTime() > this.#deadline) {
      this.#end(
        'TIME',
        `This query took longer than ${milliseconds / 1_000} s and was given up. It changed nothing; ask for less at once, or try again in a few seconds.`,
      );
    }
  }

  /**
   * After rows came.
   * @throws {BudgetError} when they are too many, or too large
   */
  count(rows: readonly Readonly<Record<string, unknown>>[]): void {
    this.countSize(sizeOf(rows));
  }

  /**
   * After rows came whose size is known.
   * @throws {BudgetError} when they are too many, or too large
   */
  countSize({ rows, bytes }: Size): void {
    const { rowsMax, bytesMax } = this.#allowance;
    this.#rows += rows;
    this.#bytes += bytes;
    if (this.#rows > rowsMax) this.#end('ROWS', tooMuch(`${rowsMax} rows`));
    if (this.#bytes > bytesMax) this.#end('BYTES', tooMuch(`${bytesMax / 1_024} KiB`));
  }

  #end(spent: Spent, message: string): never {
    this.#error ??= new BudgetError(spent, message);
    throw this.#error;
  }
}

/** What only counts what comes, without an end. */
export const meter = (): Budget =>
  new Budget({
    rowsMax: Infinity,
    bytesMax: Infinity,
    milliseconds: Infinity,
    clock: () => new Date(),
    isClientGone: () => false,
  });

const tooMuch = (most: string) =>
  `This query reads more than ${most}, which is the most that one may. Ask for smaller pages, shorter ranges or narrower lists, or in several queries.`;
