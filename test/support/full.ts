/**
 * True if tests try every case, as `npm run test:full` does. Otherwise a test with many similar
 * cases tries some of them.
 */
export const IS_FULL = process.env['TESTS'] === 'full';

/** Returns some cases at equal distances from the first to the last, or all cases. */
export function some<Case>(all: readonly Case[], count: number): Case[] {
  if (IS_FULL || all.length <= count) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.round((index * (all.length - 1)) / (count - 1))]!);
}

/**
 * Returns the number of random cases of a test, which are different in each run. A short test has a
 * third of them, or the given number.
 */
export const runs = (full: number, short = Math.ceil(full / 3)): number => (IS_FULL ? full : short);
