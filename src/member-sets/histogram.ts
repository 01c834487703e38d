/**
 * The numbers of ratings by quarter of a star: twenty steps, from 0.25 to 5. Likes have an empty
 * histogram.
 */
export type Histogram = readonly number[];

export const STEPS = 20;

export const EMPTY: Histogram = [];

type Quarters = number | null | undefined;

/** Returns a histogram after a rating has changed; null or `undefined` for no rating. */
export function moved(histogram: Histogram, from: Quarters, to: Quarters): Histogram {
  if ((from ?? 0) === (to ?? 0)) return histogram;
  const step = (quarters: number) => Number(quarters === to) - Number(quarters === from);
  return Array.from({ length: STEPS }, (_, index) => (histogram[index] ?? 0) + step(index + 1));
}

/** Returns the sum of histograms; empty if all of them are empty. */
export function total(histograms: readonly Histogram[]): Histogram {
  const filled = histograms.filter(({ length }) => length > 0);
  if (filled.length === 0) return EMPTY;
  return Array.from({ length: STEPS }, (_, index) => filled.reduce((sum, each) => sum + (each[index] ?? 0), 0));
}

/** Returns whether two histograms are equal; an empty one equals one of zeros. */
export const agree = (one: Histogram, other: Histogram): boolean =>
  Array.from({ length: STEPS }, (_, index) => (one[index] ?? 0) === (other[index] ?? 0)).every(Boolean);
