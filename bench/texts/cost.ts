import { setImmediate as nextTurn } from 'node:timers/promises';
import { median } from '../bench.ts';

/** The time of work that is done in one go, and the longest part of work that is done in turns. */

const SAMPLES = 9;
/** A shorter call is repeated, so that a sample is longer than what disturbs it. */
const SAMPLE_MS = 0.5;

function timeOf(work: () => unknown, calls: number): number {
  const begun = performance.now();
  for (let call = 0; call < calls; call++) work();
  return (performance.now() - begun) / calls;
}

/** Returns the time of a call, roughly: the shorter one of two. */
export const roughMs = (work: () => unknown): number => Math.min(timeOf(work, 1), timeOf(work, 1));

/**
 * Returns the median time of a call, and the shortest: what else the machine does makes a call
 * longer, never shorter.
 */
export function callMs(work: () => unknown): { readonly median: number; readonly least: number } {
  const calls = Math.ceil(SAMPLE_MS / Math.max(timeOf(work, 1), SAMPLE_MS / 1_000));
  const samples = Array.from({ length: SAMPLES }, () => timeOf(work, calls));
  return { median: median(samples), least: Math.min(...samples) };
}

/** Returns the longest time for which others wait while some work is done in turns. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const working = work().finally(() => {
    state.isDone = true;
  });
  let longest = 0;
  for (let before = performance.now(); !state.isDone;) {
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
  }
  await working;
  return longest;
}
