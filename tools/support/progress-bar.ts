import { SingleBar } from 'cli-progress';
import { Duration } from 'luxon';
import { say } from '../../src/terminal/progress.ts';

/**
 * Makes a progress bar with items per second and the remaining time. Without a terminal it prints a
 * line from time to time.
 * @param what the work, such as `importing books`
 * @param items the items of the work, such as `rows`
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
    /** Shows the progress: `done` of `total`, in any unit. */
    update: ({ items: count, done, total }: { items: number; done: number; total: number }) => {
      const passed = performance.now() - begun;
      // The library's own estimate restarts at 0 s with each burst. This estimate is for the whole
      // run.
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
 * Shows a {@link progressBar} during some work. It ends the bar even after an error, because a
 * running bar would keep the process alive.
 */
export async function withBar<Result>(
  what: string,
  items: string,
  work: (update: ReturnType<typeof progressBar>['update']) => Promise<Result>,
): Promise<Result> {
  const bar = progressBar(what, items);
  try {
    return await work(bar.update);
  } finally {
    bar.stop();
  }
}

/**
 * Shows a bar while a file is imported.
 * @param what the content of the file, such as `books`
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

/** Prints a line for each reason why an import left something out. */
export function printLeftOut(leftOut: readonly { reason: string; count: number; lines: readonly number[] }[]): void {
  for (const { reason, count, lines } of leftOut) {
    const more = count > lines.length ? ', …' : '';
    say(`  ${count} × ${reason} (line ${lines.join(', ')}${more})`);
  }
}
