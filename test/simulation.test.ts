import { expect, test } from 'vitest';
import { simulateRound } from './simulation/simulation.ts';
import { isLinearizable, type Call } from './support/history.ts';

const ROUNDS = 100;
const STEPS_PER_ROUND = 10_000;

test('a million simulated steps of losses, pauses and crashes: zero drift, and all calls linearizable', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`seed ${seed}`);
  let [calls, unknown, crashes] = [0, 0, 0];
  for (let next = seed; next < seed + ROUNDS; next++) {
    const round = await simulateRound(next, STEPS_PER_ROUND);
    expect(round.problems, `again with: npm run simulate -- --seed ${next} --steps 1`).toEqual([]);
    calls += round.calls;
    unknown += round.unknown;
    crashes += round.crashes;
  }
  // There was trouble indeed, and not only trouble.
  expect(calls).toBeGreaterThan(ROUNDS * 10);
  expect(unknown).toBeGreaterThan(ROUNDS);
  expect(unknown).toBeLessThan(calls / 2);
  expect(crashes).toBeGreaterThan(ROUNDS / 2);
}, 600_000);

test('a seed gives the same round again', async () => {
  const [once, again] = [await simulateRound(7, STEPS_PER_ROUND), await simulateRound(7, STEPS_PER_ROUND)];
  expect(again).toEqual(once);
});

const call = (verb: Call['verb'], begun: number, ended: number, answer?: boolean): Call => ({
  verb,
  begun,
  ended,
  ...(answer !== undefined && { answer }),
});

test.each<[string, boolean, Call[]]>([
  ['one after the other', true, [call('like', 0, 1, true), call('like', 2, 3, false), call('unlike', 4, 5, true)]],
  ['two at once, one of them changed it', true, [call('like', 0, 5, false), call('like', 1, 6, true)]],
  ['two at once, both changed it', false, [call('like', 0, 5, true), call('like', 1, 6, true)]],
  ['a like that is not seen afterwards', false, [call('like', 0, 1, true), call('read', 2, 3, false)]],
  [
    'a like of unknown outcome that took effect late',
    true,
    [call('like', 0, Infinity), call('read', 2, 3, false), call('read', 4, 5, true)],
  ],
  [
    'a like of unknown outcome that took effect twice',
    false,
    [call('like', 0, Infinity), call('unlike', 1, 2, true), call('unlike', 3, 4, true)],
  ],
  ['an effect before its call', false, [call('read', 0, 1, true), call('like', 2, 3, true)]],
])('the check of histories: %s', (_what, isPossible, history) => {
  expect(isLinearizable(history)).toBe(isPossible);
});
