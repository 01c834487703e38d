import { setInterval } from 'node:timers';

const LOOKED_AT_EVERY_MS = 500;

/**
 * Calls back when the npm that runs this process has ended, because a killed npm does not end its
 * scripts.
 */
export function whenNpmEnds(ended: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) ended();
  }, LOOKED_AT_EVERY_MS).unref();
}
