import { DateTime, IANAZone } from 'luxon';
import { badUserInput } from '../graphql/errors.ts';

/** An IANA name, such as `Europe/Berlin`; UTC where there is none. */
export type TimeZone = string | null | undefined;

/**
 * A moment as it is in a time zone.
 * @throws `BAD_USER_INPUT` about `timeZone`
 */
export function local(at: Date, timeZone: TimeZone): DateTime {
  const zone = timeZone ?? 'UTC';
  if (!IANAZone.isValidZone(zone)) {
    throw badUserInput('The argument "timeZone" is not a time zone; send an IANA name, such as Europe/Berlin.');
  }
  return DateTime.fromJSDate(at, { zone });
}

/**
 * The day of a moment in a time zone, as 2026-03-01.
 * @throws `BAD_USER_INPUT` about `timeZone`
 */
export function dayIn(at: Date, timeZone: TimeZone): string;
export function dayIn(at: Date | undefined, timeZone: TimeZone): string | null;
export function dayIn(at: Date | undefined, timeZone: TimeZone): string | null {
  return at ? local(at, timeZone).toFormat('yyyy-MM-dd') : null;
}
