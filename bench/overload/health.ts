import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks a server for its health all the time, in a thread of its own, so that the load beside it
 * does not hold up its clock. Each second it posts how long the checks took, in milliseconds. A
 * check that fails takes `Infinity`.
 */

const EVERY_MS = 20;
const WITHIN_MS = 5_000;

const { url } = workerData as { url: string };

async function check(): Promise<number> {
  const begun = performance.now();
  const isGood = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(WITHIN_MS) }).then(
    async (answer) => {
      await answer.text();
      return answer.ok;
    },
    () => false,
  );
  return isGood ? performance.now() - begun : Infinity;
}

let taken: number[] = [];
setInterval(() => {
  parentPort?.postMessage(taken);
  taken = [];
}, 1_000);
for (;;) {
  taken.push(await check());
  await sleep(EVERY_MS);
}
