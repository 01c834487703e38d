import { constants } from 'node:os';
import { whenNpmEnds } from '../../src/terminal/npm.ts';
import { say } from '../../src/terminal/progress.ts';

/**
 * Runs the registered functions when a benchmark or tool ends, also by Ctrl-C or SIGTERM: last
 * first, each once. Guards end the processes in any case; temporary folders remain only after a
 * SIGKILL.
 */
export class Ends {
  readonly #ends: (() => Promise<unknown>)[] = [];
  #ending: Promise<void> | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // `once` cannot be used: a library with its own listener (signal-exit) kills a process
      // without other listeners.
      process.on(signal, () => {
        this.#endProcess(signal, 128 + constants.signals[signal]);
      });
    }
    whenNpmEnds(() => {
      this.#endProcess('npm has ended', 1);
    });
  }

  /** @param end a function that may be called before its object is ready */
  add(end: () => Promise<unknown>): void {
    this.#ends.push(end);
  }

  /** Ends everything, even if some of it fails. */
  all(): Promise<void> {
    this.#ending ??= this.#endAll();
    return this.#ending;
  }

  #endProcess(why: string, exitCode: number): void {
    if (this.#ending) return;
    say(`${why}: ending all started processes`);
    void this.all().then(() => process.exit(exitCode));
  }

  async #endAll(): Promise<void> {
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      await end().catch((error: unknown) => {
        say(`something did not end well: ${String(error)}`);
      });
    }
  }
}
