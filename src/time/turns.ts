import { setImmediate as nextRound } from 'node:timers/promises';
import { endOfTick } from '../cassandra/maybe-promise.ts';

/**
 * Turns of the event loop for work that many callers may ask for at once. A round of the loop has
 * several short turns or one long turn, so its duration does not grow with the amount of work.
 */

/** The duration of a round after which no further turn begins in it. */
const ROUND_MS = 2;
/**
 * The common name of all long work, such as reading files. All of it shares the turns of one
 * caller, so it does not delay requests, and a round has at most one of them.
 */
const LONG_WORK = 'long work';

/** The waiting work by the name of its caller. The callers are in the order of their next turns. */
const waiting = new Map<string, (() => void)[]>();
let isGoingOn = false;
/** The time after which no further turn begins in the current round; unknown before its first. */
let roundEnd: number | undefined;

/**
 * Waits for a turn, which is immediate if nobody waits and the round has time left. Callers take
 * turns one after the other, regardless of how much work each has.
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
  // Entries that are added meanwhile are visited last in this same loop, so a caller who has had a
  // turn is behind all others.
  for (const [asker, own] of waiting) {
    if (asker === LONG_WORK || performance.now() >= currentRoundEnd()) await nextRound();
    // The round begins before its first turn, whose duration counts.
    currentRoundEnd();

    waiting.delete(asker);
    if (own.length > 1) waiting.set(asker, own);
    own.shift()?.();
    await endOfTick();
  }
  isGoingOn = false;
}

/** Returns the end of the current round, which begins now if it has had no turn yet. */
function currentRoundEnd(): number {
  if (roundEnd !== undefined) return roundEnd;
  setImmediate(() => {
    roundEnd = undefined;
  });
  roundEnd = performance.now() + ROUND_MS;
  return roundEnd;
}
