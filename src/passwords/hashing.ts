import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import argon2 from 'argon2';

/**
 * Hashes and verifies passwords in a separate process with a low priority. Each hash takes tens of
 * milliseconds of a whole core, and no read may wait for that.
 */

/** A request to the process. `verify` without a hash takes as long as with one. */
export interface HashingRequest {
  readonly id: number;
  readonly password: string;
  readonly verify?: { readonly hash: string | undefined };
}

/** The answer of the process: a hash in PHC format, or whether the password matches. */
export type HashingAnswer = { readonly id: number } & (
  { readonly result: string | boolean } | { readonly error: string }
);

/**
 * The nice value. With it, a read does not wait for a hash, and hashes still get a tenth of a busy
 * core.
 */
const PRIORITY = 10;

setPriority(PRIORITY);
try {
  // Linux may group processes by session (sched(7), the autogroup feature). The group then has its
  // own priority.
  writeFileSync('/proc/self/autogroup', String(PRIORITY));
} catch {
  // This system has no such groups.
}

const [memoryCost = NaN, timeCost = NaN, parallelism = NaN] = process.argv.slice(2).map(Number);
const settings = { type: argon2.argon2id, memoryCost, timeCost, parallelism } as const;
const nobodysHash = argon2.hash('', settings);

async function answer({ password, verify }: HashingRequest): Promise<string | boolean> {
  if (!verify) return argon2.hash(password, settings);
  const matches = await argon2.verify(verify.hash ?? (await nobodysHash), password);
  return matches && verify.hash !== undefined;
}

process.on('message', (request: HashingRequest) => {
  answer(request)
    .then((result): HashingAnswer => ({ id: request.id, result }))
    .catch((error: unknown): HashingAnswer => ({ id: request.id, error: String(error) }))
    .then((message) => process.send?.(message))
    // The server has ended.
    .catch(() => process.exit());
});
process.on('disconnect', () => process.exit());
// Signals sent to the process group are for the server, which ends this process when its work is
// done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
