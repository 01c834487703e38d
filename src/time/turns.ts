import { setImmediate as nextRound } from 'node:timers/promises';
import { endOfTick } from '../cassandra/maybe-promise.ts';

/**
 * Turns of the event loop for work that many may ask for at once. A round of the loop, for which
 * everybody waits, has several turns of little work or one of much, so it does not grow with the
 * amount of work.
 */

/** No turn begins so long after the first one of its round, and none after one of long work. */
const ROUND_MS = 2;
/** The name in which all long work asks, such as reading files, so it does not hold up requests. */
const LONG_WORK = 'long work';

/** The work that waits, by the name of who asked for it, in the order of their next turns. */
const waiting = new Map<string, (() => void)[]>();
let isGoingOn = false;

/**
 * Waits for a turn. Those who ask have turns one after the other, however much each asks for.
 * @param asker the name of who asks; by default all long work together
 */
export const nextTurn = (asker = LONG_WORK): Promise<void> =>
  new Promise((resolve) => {
    const own = waiting.get(asker);
    if (own) own.push(resolve);
    else waiting.set(asker, [resolve]);
    if (!isGoingOn) void goOn();
  });

async function goOn(): Promise<void> {
  isGoingOn = true;
  await nextRound();
  let end = performance.now() + ROUND_MS;
  // Entries that are added meanwhile come last in this same loop, so an asker who has had a turn is
  // behind all others.
  for (const [asker, own] of waiting) {
    waiting.delete(asker);
    if (own.length > 1) waiting.set(asker, own);
    own.shift()?.();
    await endOfTick();
    if (asker !== LONG_WORK && performance.now() < end) continue;

    await nextRound();
    end = performance.now() + ROUND_MS;
  }
  isGoingOn = false;
}
