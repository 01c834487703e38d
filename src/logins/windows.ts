import { Duration } from 'luxon';
import { badUserInput } from '../graphql/errors.ts';
import { local, type TimeZone } from '../time/zones.ts';
import { beginningOf, DAY_MS, HOUR_MS } from '../time/units.ts';

/** Windows of time, and the parts in which they are counted. */

/** A window that includes `from` and excludes `to`. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The parts of a window: whole UTC days, whole hours on either side, and the rest at its two ends.
 */
export interface WindowParts {
  readonly days: readonly Window[];
  /** Windows of at most 23 hours, each within one day. */
  readonly hours: readonly Window[];
  /** Windows of less than an hour, each within one hour. */
  readonly moments: readonly Window[];
}

/**
 * Splits a window so that few rows count it: at most one range of days, two of hours and two of
 * moments, exact to the millisecond in any time zone.
 */
export function partsOf({ from, to }: Window): WindowParts {
  const outer = split(from.getTime(), to.getTime(), HOUR_MS);
  const inner = outer.whole.map(([begin, end]) => split(begin, end, DAY_MS));
  return {
    moments: outer.rest.map(windowOf),
    hours: inner.flatMap(({ rest }) => rest).map(windowOf),
    days: inner.flatMap(({ whole }) => whole).map(windowOf),
  };
}

type Span = readonly [begin: number, end: number];

const windowOf = ([begin, end]: Span): Window => ({ from: new Date(begin), to: new Date(end) });

/** Splits a span into its whole units and the non-empty rests on either side. */
function split(begin: number, end: number, unit: number): { whole: Span[]; rest: Span[] } {
  const first = Math.ceil(begin / unit) * unit;
  const last = beginningOf(end, unit);
  const notEmpty = (...spans: Span[]) => spans.filter(([from, to]) => from < to);
  if (first > last) return { whole: [], rest: notEmpty([begin, end]) };
  return { whole: notEmpty([first, last]), rest: notEmpty([begin, first], [last, end]) };
}

/**
 * Returns the window of a duration that ends now. Days, weeks, months and years follow the time
 * zone's calendar, so a day on which the clock changes has 23 or 25 hours. Hours, minutes and
 * seconds always have the same length.
 * @param last a Duration, such as `PT24H` or `P7D`
 * @throws `BAD_USER_INPUT` about `last` when it is longer than the calendar, or about `timeZone`
 */
export function lastWindow(last: string, timeZone: TimeZone, now: Date): Window {
  const from = local(now, timeZone).minus(Duration.fromISO(last));
  // The year is NaN if the calendar has no such moment.
  if (!(from.toUTC().year >= 1)) throw badUserInput('The argument "last" is too long: it begins before the year 1.');
  return { from: from.toJSDate(), to: now };
}

/**
 * Returns the window from the start of the current day, week (from Monday) or month in a time zone
 * until now.
 * @throws `BAD_USER_INPUT` about `timeZone`
 */
export function currentWindow(unit: 'day' | 'week' | 'month', timeZone: TimeZone, now: Date): Window {
  return { from: local(now, timeZone).startOf(unit).toJSDate(), to: now };
}
