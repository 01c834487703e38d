import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { AppContext } from '../context/context.ts';
import { passwordHashing } from '../passwords/passwords.ts';
import { jobHandlers, newsListeners, nodeTypes } from './workers.ts';

/**
 * Makes the context of a process.
 * @param given the parts that differ by process; those with a default are for tests
 */
export const appContext = (
  given: Pick<AppContext, 'config' | 'cassandra' | 'logger'> &
    Partial<Pick<AppContext, 'clock' | 'monotonicNow' | 'atCrashPoint' | 'passwords'>>,
): AppContext => ({
  clock: () => new Date(),
  monotonicNow: () => performance.now(),
  atEndOfTurn: setImmediate,
  randomId: randomUUID,
  atCrashPoint: () => undefined,
  passwords: passwordHashing(given.config.passwords.argon2id),
  ...given,
  jobHandlers,
  nodeTypes,
  newsListeners,
});
