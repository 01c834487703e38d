import type { Within } from '../cassandra/range.ts';
import { badUserInput } from '../graphql/errors.ts';

/** Returns the years in UTC from that of a moment to that of a later one, the earliest first. */
export function yearsBetween(from: Date, to: Date): number[] {
  const first = from.getUTCFullYear();
  return Array.from({ length: to.getUTCFullYear() - first + 1 }, (_, index) => first + index);
}

/** A range that includes `from` and excludes `to`. A missing end is open. */
export type TimeRange = Within<Date>;

/**
 * @param range moments, or days as `2026-03-01`
 * @param argument the name of the argument that has both ends; unset if each end is its own
 *   argument
 * @throws `BAD_USER_INPUT` when a range ends before it begins
 */
export function requireOrderedRange<End extends Date | string>({ from, to }: Within<End>, argument?: string): void {
  if (!from || !to || from <= to) return;
  throw badUserInput(
    argument === undefined
      ? 'The argument "from" must not be after "to".'
      : `The argument "${argument}": "from" must not be after "to".`,
  );
}
