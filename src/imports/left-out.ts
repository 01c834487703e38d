/** Why some rows of a file, or parts of them, were not imported. */
export interface LeftOut {
  readonly reason: string;
  readonly count: number;
  /** The lines of the first few. */
  readonly lines: readonly number[];
}

const LINES_TOLD = 5;

/** Counts what of a file is left out, by reason. */
export class LeftOutRows {
  readonly #byReason = new Map<string, { count: number; lines: number[] }>();

  /** @param reason without anything of the row, so that there are few of them */
  add(reason: string, line: number): void {
    const { count, lines } = this.#byReason.get(reason) ?? { count: 0, lines: [] };
    this.#byReason.set(reason, { count: count + 1, lines: lines.length < LINES_TOLD ? [...lines, line] : lines });
  }

  /** In the order in which the reasons were met. */
  all(): LeftOut[] {
    return Array.from(this.#byReason, ([reason, found]) => ({ reason, ...found }));
  }
}
