import { badUserInput } from '../graphql/errors.ts';

/** A range that includes `from` and excludes `to`. A missing end is open. */
export interface TimeRange {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/**
 * @param range moments, or days as `2026-03-01`
 * @param argument the name of the argument that has both ends; unset if each end is an argument
 * @throws `BAD_USER_INPUT` when a range ends before it begins
 */
export function mustBeInOrder<End extends Date | string>(
  { from, to }: { readonly from?: End | null | undefined; readonly to?: End | null | undefined },
  argument?: string,
): void {
  if (!from || !to || from <= to) return;
  throw badUserInput(
    argument === undefined
      ? 'The argument "from" must not be after "to".'
      : `The argument "${argument}": "from" must not be after "to".`,
  );
}
