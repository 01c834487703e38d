import { setImmediate as nextTurn } from 'node:timers/promises';
import { median } from '../bench.ts';

/** The duration of uninterrupted work, and the longest turn of work that is done in turns. */

const SAMPLES = 9;
/** A shorter call is repeated, so that a sample is longer than the disturbances. */
const SAMPLE_MS = 0.5;

function timeOf(work: () => unknown, calls: number): number {
  const begun = performance.now();
  for (let call = 0; call < calls; call++) work();
  return (performance.now() - begun) / calls;
}

/** Returns the approximate time of a call: the shorter of two. */
export const roughMs = (work: () => unknown): number => Math.min(timeOf(work, 1), timeOf(work, 1));

/**
 * Returns the median and the shortest time of a call: other work of the machine only makes a call
 * longer.
 */
export function callMs(work: () => unknown): { readonly median: number; readonly least: number } {
  const calls = Math.ceil(SAMPLE_MS / Math.max(timeOf(work, 1), SAMPLE_MS / 1_000));
  const samples = Array.from({ length: SAMPLES }, () => timeOf(work, calls));
  return { median: median(samples), least: Math.min(...samples) };
}

/** Returns the longest time for which other work waits while some work is done in turns. */
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
