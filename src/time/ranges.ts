import { badUserInput } from '../graphql/errors.ts';

/** From `from` on, before `to`; a missing limit is none. */
export interface TimeRange {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/** @throws `BAD_USER_INPUT` when a range ends before it begins */
export function mustBeInOrder({ from, to }: TimeRange): void {
  if (from && to && from > to) throw badUserInput('The argument "from" must not be after "to".');
}
