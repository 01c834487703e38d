import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import argon2 from 'argon2';

/**
 * Hashes and verifies passwords, in a process of its own at a low priority: each takes tens of milliseconds of a whole core,
 * for which no read is to wait.
 */

/** What the process is asked. `verify` without a hash takes as long as with one. */
export interface HashingRequest {
  readonly id: number;
  readonly password: string;
  readonly verify?: { readonly hash: string | undefined };
}

/** What it answers: a hash in PHC format, or whether the password matches. */
export type HashingAnswer = { readonly id: number } & (
  { readonly result: string | boolean } | { readonly error: string }
);

/** Nice: a read that becomes ready does not wait for a hash, and hashes still get a tenth of a core that is busy. */
const PRIORITY = 10;

setPriority(PRIORITY);
try {
  // Where Linux groups processes by session (sched(7), the autogroup feature), the group has a priority of its own.
  writeFileSync('/proc/self/autogroup', String(PRIORITY));
} catch {
  // There are no such groups here.
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
    // The server is gone.
    .catch(() => process.exit());
});
process.on('disconnect', () => process.exit());
// The server's own signals are for the server: it says when all is done, by ending.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
