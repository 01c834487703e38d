import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { errorOf, type World } from './world.ts';

/**
 * Runs a function while sleeps and measured durations follow the time of a world. Afterwards the
 * originals are restored, for the rest of this process.
 */
export async function inTimeOf<Result>(world: World, work: () => Promise<Result>): Promise<Result> {
  const { setTimeout } = timers;
  const sleep = (milliseconds: number, value: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        reject(errorOf(signal?.reason));
      };
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort, { once: true });
      world.after(milliseconds, () => {
        resolve(value);
      });
    });
  Object.assign(timers, { setTimeout: sleep });
  Object.assign(performance, { now: () => world.now });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(timers, { setTimeout });
    // The replacement has hidden the one of the prototype.
    Reflect.deleteProperty(performance, 'now');
    syncBuiltinESMExports();
  }
}
