import { SingleBar } from 'cli-progress';
import { Duration } from 'luxon';

const started = performance.now();

/** Tells the person at the terminal what is going on, with the seconds since the start. */
export function say(line: string): void {
  process.stdout.write(`[${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s] ${line}\n`);
}

/**
 * A progress bar that also shows items per second and the time left; without a terminal a line now and then.
 * @param what is done, for example `importing books`
 * @param items what it goes through, for example `rows`
 */
export function progressBar(what: string, items: string) {
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage} % | {items} ${items} | {rate} ${items}/s | {left} left`,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  });
  const begun = performance.now();
  let isStarted = false;
  return {
    /** `done` of `total`, in whatever unit, tells how far it is. */
    update: ({ items: count, done, total }: { items: number; done: number; total: number }) => {
      const passed = performance.now() - begun;
      // By all that was done so far: the library's own estimate begins with 0 s, and again with every burst.
      const left = Duration.fromMillis(done === 0 ? 0 : (passed * (total - done)) / done);
      const shown = {
        items: count,
        rate: Math.round((count * 1_000) / passed),
        left: done === 0 ? '?' : left.toFormat('h:mm:ss'),
      };
      if (isStarted) bar.update(done, shown);
      else bar.start(total, done, shown);
      isStarted = true;
    },
    stop: () => {
      bar.stop();
    },
  };
}

/**
 * Shows a bar while a file is imported.
 * @param what is in it, for example `books`
 */
export function showImport<Figures>(
  what: string,
  importIt: (
    onProgress: (progress: { rows: number; bytesDone: number; bytesTotal: number }) => void,
  ) => Promise<Figures>,
): Promise<Figures> {
  const bar = progressBar(`importing ${what}`, 'rows');
  return importIt(({ rows, bytesDone, bytesTotal }) => {
    bar.update({ items: rows, done: bytesDone, total: bytesTotal });
  }).finally(bar.stop);
}

/** Tells what an import left out, a line for each reason. */
export function sayLeftOut(leftOut: readonly { reason: string; count: number; lines: readonly number[] }[]): void {
  for (const { reason, count, lines } of leftOut) {
    const more = count > lines.length ? ', …' : '';
    say(`  ${count} × ${reason} (line ${lines.join(', ')}${more})`);
  }
}
