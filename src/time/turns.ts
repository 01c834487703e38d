import { setImmediate as nextRound } from 'node:timers/promises';
import { endOfTick } from '../cassandra/maybe-promise.ts';

/**
 * Turns of the event loop for work that many callers may ask for at once. A round of the loop has
 * several short turns or one long turn, so its duration does not grow with the amount of work.
 */

/**
 * The duration of a round after which no further turn begins in it. A turn of long work also ends
 * the round.
 */
const ROUND_MS = 2;
/**
 * The common name of all long work, such as reading files. All of it shares the turns of one
 * caller, so it does not delay requests.
 */
const LONG_WORK = 'long work';

/** The waiting work by the name of its caller. The callers are in the order of their next turns. */
const waiting = new Map<string, (() => void)[]>();
let isGoingOn = false;

/**
 * Waits for a turn. Callers take turns one after the other, regardless of how much work each has.
 * @param asker the name of the caller; by default the common one of all long work
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
  // Entries that are added meanwhile are visited last in this same loop, so a caller who has had a
  // turn is behind all others.
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
