import { atMost } from './concurrency-limit.ts';
import { sizeOf, type Size } from './bytes.ts';
import { endOfTick } from './maybe-promise.ts';

/**
 * The part of a budget that is used up. `MEMORY` means that all requests together hold the maximum,
 * and `CLIENT` that the client no longer waits for the answer.
 */
export type SpentLimit = 'ROWS' | 'BYTES' | 'MEMORY' | 'TIME' | 'CLIENT';

/** A statement was not sent, or rows were not read, because the request's budget is spent. */
export class BudgetError extends Error {
  override name = 'BudgetError';
  readonly spent: SpentLimit;
  /** @param message the advice to the caller: what to do next */
  constructor(spent: SpentLimit, message: string) {
    super(message);
    this.spent = spent;
  }
}

/** The limits of one request. */
export interface Allowance {
  readonly rowsMax: number;
  /** The size as counted by {@link sizeOf}. */
  readonly bytesMax: number;
  readonly milliseconds: number;
  readonly clock: () => Date;
  /** Returns true if the client has closed its connection. */
  readonly isClientGone: () => boolean;
  /** Counts further bytes that the request holds; returns false if there is no room for them. */
  readonly hold: (bytes: number) => boolean;
}

/**
 * The maximum number of concurrent statements of one request. Its other statements wait and leave
 * room for other requests.
 */
const STATEMENTS_AT_ONCE = 32;

/**
 * Counts what one request reads from Cassandra. Once the budget is spent, no more statements are
 * sent for the request.
 */
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
   * Starts the time limit.
   * @param isAfterChange true if the request has made a change that it is about to show
   */
  begin(isAfterChange = false): void {
    const { clock, milliseconds } = this.#allowance;
    // The limit begins only once, so several changes in one request do not get more time.
    this.#deadline ??= clock().getTime() + milliseconds;
    this.#isAfterChange = isAfterChange;
  }

  get isAfterChange(): boolean {
    return this.#isAfterChange;
  }

  /** True once the request is known to be a query. */
  get isOfQuery(): boolean {
    return this.#deadline !== undefined && !this.#isAfterChange;
  }

  /** The amount of rows read. */
  get spent(): Size {
    return { rows: this.#rows, bytes: this.#bytes };
  }

  /** The reason why no more statements are sent; `undefined` while some budget is left. */
  get error(): BudgetError | undefined {
    return this.#error;
  }

  /** Counts a promise as pending until it settles. */
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

  /** Waits until nothing is pending, including the work that follows from the last result. */
  async idle(): Promise<void> {
    await endOfTick();
    while (this.#underWay > 0) {
      this.#nothingUnderWay ??= Promise.withResolvers();
      await this.#nothingUnderWay.promise;
      await endOfTick();
    }
  }

  /** Sends a statement as soon as the limit of concurrent statements allows it. */
  inTurn<Result>(sending: () => Promise<Result>): Promise<Result> {
    return this.during(this.#atOnce(sending));
  }

  /**
   * Checks the budget before a statement is sent.
   * @throws {BudgetError} when nothing is left
   */
  check(): void {
    const { clock, isClientGone, milliseconds } = this.#allowance;
    if (this.#error) throw this.#error;
    if (isClientGone()) this.#end('CLIENT', 'The client of this request no longer waits for the answer.');
    if (this.#deadline !== undefined && clock().getTime() > this.#deadline) {
      this.#end('TIME', `This query took longer than ${milliseconds / 1_000} s and was stopped. Ask for less at once.`);
    }
  }

  /**
   * Counts rows that were read.
   * @throws {BudgetError} when there are too many, or they are too large
   */
  count(rows: readonly Readonly<Record<string, unknown>>[]): void {
    this.countSize(sizeOf(rows));
  }

  /**
   * Counts rows whose size is known.
   * @throws {BudgetError} when there are too many, or they are too large
   */
  countSize({ rows, bytes }: Size): void {
    const { rowsMax, bytesMax, hold } = this.#allowance;
    this.#rows += rows;
    this.#bytes += bytes;
    if (this.#rows > rowsMax) this.#end('ROWS', tooMuch(`${rowsMax} rows`));
    if (this.#bytes > bytesMax) this.#end('BYTES', tooMuch(`${bytesMax / 1_024} KiB`));
    if (!hold(bytes)) this.#end('MEMORY', 'There is no room for more rows.');
  }

  #end(spent: SpentLimit, message: string): never {
    this.#error ??= new BudgetError(spent, message);
    throw this.#error;
  }
}

/** Returns a budget without a limit, which only counts. */
export const meter = (): Budget =>
  new Budget({
    rowsMax: Infinity,
    bytesMax: Infinity,
    milliseconds: Infinity,
    clock: () => new Date(),
    isClientGone: () => false,
    hold: () => true,
  });

const tooMuch = (most: string) =>
  `This query reads more than ${most}, the most that one query may read. ` +
  'Ask for smaller pages, shorter ranges or narrower lists, or in several queries.';
