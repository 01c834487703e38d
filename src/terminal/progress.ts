const started = performance.now();

/** A function that prints a line about the progress. */
export type Log = (line: string) => void;

/** Prints a line with the seconds since the start. */
export function say(line: string): void {
  process.stdout.write(`[${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s] ${line}\n`);
}
