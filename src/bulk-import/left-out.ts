/** A reason why rows of a file, or parts of them, were not imported. */
export interface LeftOut {
  readonly reason: string;
  readonly count: number;
  /** The line numbers of the first few rows. */
  readonly lines: readonly number[];
}

const LINES_LISTED = 5;

/** Counts the rows of a file that are left out, by reason. */
export class LeftOutRows {
  readonly #byReason = new Map<string, { count: number; lines: number[] }>();

  /** @param reason a text without values of the row, so that there are few different reasons */
  add(reason: string, line: number): void {
    const { count, lines } = this.#byReason.get(reason) ?? { count: 0, lines: [] };
    this.#byReason.set(reason, { count: count + 1, lines: lines.length < LINES_LISTED ? [...lines, line] : lines });
  }

  /** Returns the reasons in the order of their first rows. */
  all(): LeftOut[] {
    return Array.from(this.#byReason, ([reason, found]) => ({ reason, ...found }));
  }
}
