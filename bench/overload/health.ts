import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Continuously checks the health of a server, in a separate thread, so that the load does not delay
 * the measurement. Each second it posts the durations of the checks, in milliseconds. A check that
 * fails takes `Infinity`.
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
