import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './debian.ts';
import { spawnGuarded } from './guarded.ts';

const READY_WITHIN_MS = 120_000;

/**
 * Starts a program that serves HTTP, and waits until it answers. It does not outlive this process.
 * @param name the program's name, for the error
 * @param program its file, and the variables of the environment that it needs in addition
 * @param readyUrl answers with a status of 2xx once it serves
 * @returns ends it
 * @throws an error with its output, if it does not serve
 */
export async function startService(
  name: string,
  { file, env }: Program,
  given: readonly string[],
  readyUrl: string,
): Promise<() => Promise<void>> {
  const service = spawnGuarded(file, given, { env: { ...process.env, ...env } });
  let printed = '';
  for (const output of [service.stdout, service.stderr])
    output.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  const ended = once(service, 'exit');
  const stop = async () => {
    service.stdin.end();
    await ended;
  };

  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(readyUrl).catch(() => undefined);
    if (answer?.ok) return stop;
    if (service.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${name} does not serve:\n${printed}`);
    }
    await sleep(100);
  }
}
