/** Turns of the event loop for long work, which leave room for everybody else. */

const waiting: (() => void)[] = [];

/**
 * Ends a turn of long work, and waits for the next one. One of all that wait goes on in each round
 * of the event loop, so a round does not grow with their number.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}
