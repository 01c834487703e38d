import { DateTimeISOResolver } from 'graphql-scalars';

/**
 * The moments of the scalar DateTime: in the years 1 to 9999, in UTC with milliseconds, which all
 * columns, calendars and cursors can hold. The offset of an input determines which day it was for
 * its writer.
 */

/**
 * The format of a moment. Digits after the milliseconds are cut off. No clock gives more than nine
 * digits after the second.
 */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))$/i;
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const offsets = new WeakMap<Date, number>();

/** The offset from UTC of an input's moment, in minutes; 0 if it had none. */
export const offsetOf = (at: Date): number => offsets.get(at) ?? 0;

/**
 * Reads a moment; `undefined` for a text in another format. The range of years is checked in UTC,
 * as an offset may take a moment out of it.
 */
export function momentIn(text: string): Date | undefined {
  const found = MOMENT.exec(text);
  if (!found) return undefined;
  try {
    const moment = DateTimeISOResolver.parseValue(text);
    if (moment.getTime() < FIRST || moment.getTime() > LAST) return undefined;
    const [, sign, hours, minutes] = found;
    if (sign !== undefined) offsets.set(moment, Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)));
    return moment;
  } catch {
    return undefined;
  }
}
