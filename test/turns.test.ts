import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { nextTurn } from '../src/time/turns.ts';

/** Turns of the event loop, which are shared by all callers. */

const MUCH_MS = 10;

/** Requests turns at once, and returns the callers in the order of their turns. */
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

test('callers get turns one after the other, however many each requests', async () => {
  const [first, ...others] = await orderOf(['a', 'a', 'a', 'b', 'a', 'c', 'b']);
  expect(first).toBe('a');
  expect(others).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

describe('a round of the event loop', () => {
  /** Returns the number of rounds in which the callers get their turns. */
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

  test('has a turn at once if nobody waits', async () => {
    // The turns of the test before may have used up the present round.
    await nextRound();
    let isNext = false;
    setImmediate(() => (isNext = true));
    await nextTurn('a');
    expect(isNext).toBe(false);
  });

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
