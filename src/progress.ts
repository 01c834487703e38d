import { SingleBar } from 'cli-progress';

const started = performance.now();

/** Tells the person at the terminal what is going on, with the seconds since the start. */
export function say(line: string): void {
  process.stdout.write(`[${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s] ${line}\n`);
}

/**
 * A progress bar by bytes that also shows rows per second and the time left; without a terminal a line now and then.
 * @param what is done, for example `importing books`
 */
export function progressBar(what: string) {
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage} % | {rows} rows | {rate} rows/s | {eta_formatted} left`,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  });
  const begun = performance.now();
  let isStarted = false;
  return {
    update: ({ rows, bytesDone, bytesTotal }: { rows: number; bytesDone: number; bytesTotal: number }) => {
      const shown = { rows, rate: Math.round((rows * 1_000) / (performance.now() - begun)) };
      if (isStarted) bar.update(bytesDone, shown);
      else bar.start(bytesTotal, bytesDone, shown);
      isStarted = true;
    },
    stop: () => {
      bar.stop();
    },
  };
}
