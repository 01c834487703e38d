import type { Config } from '../config/config.ts';
import { RateLimitedError } from '../graphql/errors.ts';
import { HOUR_MS } from '../time/units.ts';

/** The changes of one reader to one thing in an hour. */
export interface InHour {
  /** The moment of the first change; null if none was counted. */
  readonly began: Date | null;
  readonly count: number;
}

export const UNCOUNTED: InHour = { began: null, count: 0 };

/**
 * Counts one more like or rating of a thing by a reader. A like that is taken back leaves a row in
 * its shard, so the number of likes in an hour is limited. Taking a like back is never refused,
 * because the like itself was counted.
 * @param refusal the message, which names the action that was repeated too often
 * @throws {UserError} `RATE_LIMITED`
 */
export function countedInHour({ likeChangesPerHour }: Config, former: InHour, at: Date, refusal: string): InHour {
  const { began, count } = former;
  if (!began || at.getTime() - began.getTime() >= HOUR_MS) return { began: at, count: 1 };

  // Every second change takes a like or rating back.
  const isTooOften = likeChangesPerHour > 0 && 2 * count >= likeChangesPerHour;
  if (isTooOften) {
    const seconds = Math.ceil((began.getTime() + HOUR_MS - at.getTime()) / 1_000);
    throw new RateLimitedError(refusal, seconds);
  }
  return { began, count: count + 1 };
}
