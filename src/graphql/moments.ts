import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { DateTimeISOResolver } from 'graphql-scalars';

/**
 * The scalar DateTime: a moment in the years 1 to 9999, in UTC with milliseconds, which all
 * columns, calendars and cursors can hold. The offset of an input tells which day it was for its
 * writer.
 */

/** Digits after milliseconds are cut off. No clock gives more than nine digits after the second. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))$/i;
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const offsets = new WeakMap<Date, number>();

/** The offset from UTC of an input's moment, in minutes; 0 if it had none. */
export const offsetOf = (at: Date): number => offsets.get(at) ?? 0;

/** The range of years is checked in UTC, as an offset may take a moment out of it. */
function momentIn(text: string): Date | undefined {
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

/**
 * @throws GraphQLError, which becomes `BAD_USER_INPUT`; the message shows the format and does not
 *   repeat the value
 */
function momentOf(value: unknown, node: ValueNode | null = null): Date {
  const moment = typeof value === 'string' ? momentIn(value) : undefined;
  if (moment) return moment;
  const message = 'A DateTime is a moment of the years 1 to 9999 as RFC 3339 writes it, such as 2026-03-01T09:30:00Z.';
  throw new GraphQLError(message, { nodes: node });
}

export const DateTimeResolver = new GraphQLScalarType<Date, unknown>({
  name: 'DateTime',
  parseValue: (value) => momentOf(value),
  parseLiteral: (node) => momentOf(node.kind === Kind.STRING ? node.value : undefined, node),
  serialize: (value) => DateTimeISOResolver.serialize(value),
});
