import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import type { Config } from '../config/config.ts';
import type { PasswordHashing } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';
import type { HashingAnswer, HashingRequest } from './hashing.ts';

/**
 * The maximum number of waiting hashes. A hash takes about 30 ms of one core; a longer queue would
 * take more time than a person waits.
 */
const WAITING_MAX = 1_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * The maximum length of a password before it is normalised, in UTF-16 units: a letter may have four
 * parts.
 */
const SPELLED_LENGTH_MAX = 1_024;

/**
 * Normalises a password, so that texts that look the same are the same password (NIST SP 800-63B-4,
 * 3.1.1.2). A text that is too long for a password is returned unchanged, because normalising it
 * may take minutes.
 */
export const spelled = (password: string): string =>
  password.length > SPELLED_LENGTH_MAX ? password : password.normalize('NFKC');

/**
 * Makes the password hashing of one process. The hashing process starts at the first use, and ends
 * with this process.
 */
export function passwordHashing({ memoryKib, passes, lanes }: Config['passwords']['argon2id']): PasswordHashing {
  const limit = pLimit(availableParallelism());
  const hashing = new HashingProcess([memoryKib, passes, lanes].map(String));
  const queued = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= WAITING_MAX) {
      throw overloaded('Too many people are logging in now.', RETRY_AFTER_SECONDS);
    }
    return limit(work);
  };
  return {
    hash: async (password) => String(await queued(() => hashing.ask({ password: spelled(password) }))),
    verify: async (hash, password) =>
      (await queued(() => hashing.ask({ password: spelled(password), verify: { hash } }))) === true,
    isOutdated: (hash) => argon2.needsRehash(hash, { memoryCost: memoryKib, timeCost: passes, parallelism: lanes }),
  };
}

interface Waiting {
  readonly resolve: (result: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** The process that hashes. If it dies, a new one replaces it. */
class HashingProcess {
  readonly #settings: readonly string[];
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #lastId = 0;

  constructor(settings: readonly string[]) {
    this.#settings = settings;
  }

  ask(request: Omit<HashingRequest, 'id'>): Promise<string | boolean> {
    const child = (this.#child ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      child.send({ ...request, id } satisfies HashingRequest, (error) => {
        if (error) this.#settle(id, ({ reject: fail }) => fail(error));
      });
    });
  }

  #start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'hashing.ts'), this.#settings, {
      execArgv: ['--max-old-space-size=16'],
      env: { UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // The process gets its own session: Linux first shares the processor among sessions,
      // regardless of the priorities within each.
      detached: true,
    });
    // The child must not keep this process alive. While clients wait, their connections keep it
    // alive.
    child.unref();
    child.channel?.unref();
    child.on('message', (answer: HashingAnswer) => {
      this.#settle(answer.id, ({ resolve, reject }) => {
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.result);
      });
    });
    child.once('exit', (code, signal) => {
      this.#child = undefined;
      const error = new Error(`The process that hashes passwords ended: ${String(signal ?? code)}`);
      for (const id of [...this.#waiting.keys()]) this.#settle(id, ({ reject }) => reject(error));
    });
    return child;
  }

  #settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) how(waiting);
  }
}
