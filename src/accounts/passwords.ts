import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import { RequestError } from '../errors.ts';

/** A hash takes about 30 ms of one core; more waiting than this would wait for longer than a person does. */
const WAITING_MAX = 1_000;

/** Hashes and verifies passwords beside the event loop, as many at once as there are cores. */
export interface PasswordHashing {
  /** @returns the hash in PHC format, salted; the password itself is kept nowhere */
  readonly hash: (password: string) => Promise<string>;
  /** @param hash `undefined` for an account that does not exist; it takes as long as one that does */
  readonly verify: (hash: string | undefined, password: string) => Promise<boolean>;
  /** Whether a hash was made with other settings than those of now. */
  readonly isOutdated: (hash: string) => boolean;
}

/** The settings of argon2id (RFC 9106, 3.1). */
export interface Argon2idSettings {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Starts password hashing for one process. */
export async function startPasswordHashing({ memoryKib, passes, lanes }: Argon2idSettings): Promise<PasswordHashing> {
  const settings = { type: argon2.argon2id, memoryCost: memoryKib, timeCost: passes, parallelism: lanes } as const;
  const limit = pLimit(availableParallelism());
  const queued = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= WAITING_MAX) {
      throw new RequestError(
        'OVERLOADED',
        'Too many people are logging in now. Nothing was done; try again in a few seconds.',
      );
    }
    return limit(work);
  };
  // One spelling for what people see as one password (NIST SP 800-63B-4, 3.1.1.2).
  const spelled = (password: string) => password.normalize('NFKC');
  const nobodysHash = await argon2.hash('', settings);
  return {
    hash: async (password) => queued(() => argon2.hash(spelled(password), settings)),
    verify: async (hash, password) => {
      const matches = await queued(() => argon2.verify(hash ?? nobodysHash, spelled(password)));
      return matches && hash !== undefined;
    },
    isOutdated: (hash) => argon2.needsRehash(hash, settings),
  };
}
