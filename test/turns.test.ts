import { expect, test } from 'vitest';
import { nextTurn } from '../src/time/turns.ts';

/** Turns of the event loop, which all who ask share. */

const MUCH_MS = 10;

/** Asks for turns at once, and returns the askers in the order of their turns. */
async function orderOf(askers: readonly string[], onTurn: () => void = () => undefined): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(
    askers.map(async (asker) => {
      await nextTurn(asker);
      order.push(asker);
      onTurn();
    }),
  );
  return order;
}

test('those who ask have turns one after the other, however much each asks for', async () => {
  expect(await orderOf(['a', 'a', 'a', 'b', 'a', 'c', 'b'])).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
});

test('a round of the event loop has one turn of much work', async () => {
  let round = 0;
  const count = () => {
    round++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const rounds: number[] = [];
  await orderOf(['a', 'a', 'b', 'b'], () => {
    rounds.push(round);
    const end = performance.now() + MUCH_MS;
    while (performance.now() < end);
  });
  clearImmediate(counting);
  expect(new Set(rounds).size).toBe(4);
});
