import type { Config } from '../config/config.ts';
import { RateLimitedError } from '../graphql/errors.ts';
import { HOUR_MS } from '../time/units.ts';

/** The changes of one reader to one thing in an hour. */
export interface InHour {
  /** The moment of the first one; null if none was counted. */
  readonly began: Date | null;
  readonly count: number;
}

export const UNCOUNTED: InHour = { began: null, count: 0 };

/**
 * Counts one more like or rating of a thing by a reader. Each one that is taken back leaves a row
 * in its shard, so their number in an hour is limited. Taking one back is never refused, because it
 * follows one that was counted.
 * @param refusal says what was done too often
 * @throws {UserError} `RATE_LIMITED`
 */
export function countedInHour({ likeChangesPerHour }: Config, former: InHour, at: Date, refusal: string): InHour {
  const { began, count } = former;
  if (!began || at.getTime() - began.getTime() >= HOUR_MS) return { began: at, count: 1 };

  // Half of the changes take something back.
  const isTooOften = likeChangesPerHour > 0 && 2 * count >= likeChangesPerHour;
  if (isTooOften) {
    const seconds = Math.ceil((began.getTime() + HOUR_MS - at.getTime()) / 1_000);
    throw new RateLimitedError(refusal, seconds);
  }
  return { began, count: count + 1 };
}
