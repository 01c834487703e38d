import { Duration } from 'luxon';
import { badUserInput } from '../graphql/errors.ts';
import { local, type TimeZone } from '../time/zones.ts';
import { beginningOf, DAY_MS, HOUR_MS } from '../time/units.ts';

/** Windows of time, and the parts they are counted in. */

/** From `from` on, before `to`. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
}

/** A window, taken apart: whole UTC days, whole hours before and behind them, and what is left at its two edges. */
export interface WindowParts {
  readonly days: readonly Window[];
  /** At most 23 hours each, within one day. */
  readonly hours: readonly Window[];
  /** Less than an hour each, within one hour. */
  readonly moments: readonly Window[];
}

/**
 * Takes a window apart, so that few rows say what was in it: at most one range of days, two of hours and two of moments,
 * exact to the millisecond whatever the time zone that the window was meant in.
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

/** The whole units within a span, and what is left of it before and behind them; empty spans are left out. */
function split(begin: number, end: number, unit: number): { whole: Span[]; rest: Span[] } {
  const first = Math.ceil(begin / unit) * unit;
  const last = beginningOf(end, unit);
  const [whole, rest]: Span[][] =
    first <= last
      ? [
          [[first, last]],
          [
            [begin, first],
            [last, end],
          ],
        ]
      : [[], [[begin, end]]];
  const isLong = ([from, to]: Span) => from < to;
  return { whole: (whole ?? []).filter(isLong), rest: (rest ?? []).filter(isLong) };
}

/**
 * The window of a duration that ends now. Days, weeks, months and years are those of the time zone's calendar, so that a
 * day in which a clock is changed has 23 or 25 hours; hours, minutes and seconds are always equally long.
 * @param last a Duration, such as `PT24H` or `P7D`
 * @throws `BAD_USER_INPUT` about `last`, where it is longer than the calendar, or `timeZone`
 */
export function lastWindow(last: string, timeZone: TimeZone, now: Date): Window {
  const from = local(now, timeZone).minus(Duration.fromISO(last));
  // Where the year is not a number, the calendar has no such moment.
  if (!(from.toUTC().year >= 1)) throw badUserInput('The argument "last" is too long: it begins before the year 1.');
  return { from: from.toJSDate(), to: now };
}

/**
 * From the beginning of this day, week (from Monday on) or month in a time zone until now.
 * @throws `BAD_USER_INPUT` about `timeZone`
 */
export function currentWindow(unit: 'day' | 'week' | 'month', timeZone: TimeZone, now: Date): Window {
  return { from: local(now, timeZone).startOf(unit).toJSDate(), to: now };
}
