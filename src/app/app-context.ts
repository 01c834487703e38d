import { randomUUID } from 'node:crypto';
import type { AppContext } from '../context/context.ts';
import { passwordHashing } from '../passwords/passwords.ts';
import { jobHandlers } from './workers.ts';

/**
 * Makes the context of a process.
 * @param given what is the process's own; `clock` and `atCrashPoint` are for tests
 */
export const appContext = (
  given: Pick<AppContext, 'config' | 'cassandra' | 'logger'> & Partial<Pick<AppContext, 'clock' | 'atCrashPoint'>>,
): AppContext => ({
  clock: () => new Date(),
  randomId: randomUUID,
  atCrashPoint: () => undefined,
  ...given,
  passwords: passwordHashing(given.config.passwords.argon2id),
  jobHandlers,
});
