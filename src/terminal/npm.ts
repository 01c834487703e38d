import { setInterval } from 'node:timers';

const LOOKED_AT_EVERY_MS = 500;

/** Tells when the npm that runs this process, if one does, has ended: one that is killed does not end what it runs. */
export function whenNpmEnds(ended: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) ended();
  }, LOOKED_AT_EVERY_MS).unref();
}
