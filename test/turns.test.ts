import { describe, expect, test } from 'vitest';
import { nextTurn } from '../src/time/turns.ts';

/** Turns of the event loop, which all who ask share. */

const MUCH_MS = 10;

/** Asks for turns at once, and returns the askers in the order of their turns. */
async function orderOf(
  askers: readonly (string | undefined)[],
  onTurn: () => void = () => undefined,
): Promise<(string | undefined)[]> {
  const order: (string | undefined)[] = [];
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

describe('a round of the event loop', () => {
  /** Returns the number of rounds in which those who ask have their turns. */
  async function roundsOf(askers: readonly (string | undefined)[], onTurn?: () => void): Promise<number> {
    let round = 0;
    const count = () => {
      round++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const rounds = new Set<number>();
    await orderOf(askers, () => {
      rounds.add(round);
      onTurn?.();
    });
    clearImmediate(counting);
    return rounds.size;
  }

  test('has one turn of much work', async () => {
    const rounds = await roundsOf(['a', 'a', 'b', 'b'], () => {
      const end = performance.now() + MUCH_MS;
      while (performance.now() < end);
    });
    expect(rounds).toBe(4);
  });

  test('has one turn of long work', async () => {
    expect(await roundsOf(Array.from({ length: 100 }, () => undefined))).toBe(100);
  });
});
