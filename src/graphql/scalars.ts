import { GraphQLError, Kind, type GraphQLScalarType, type ValueNode } from 'graphql';
import { JSONObjectResolver, UUIDResolver } from 'graphql-scalars';
import { z } from 'zod';
import { momentIn } from './moments.ts';

/**
 * The functions that read and write a scalar's values. Its name and description come from
 * `schema.graphql`.
 */
type Scalar = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>;

const valuesOf = ({ serialize, parseValue, parseLiteral }: Scalar): Scalar => ({
  serialize,
  parseValue,
  parseLiteral,
});

/**
 * Declares a scalar that is a text in JSON.
 * @param refusal the message about any other value, which becomes `BAD_USER_INPUT` about the field.
 *   It shows the format and does not repeat the value
 * @param read returns the value of a text, `undefined` for a text in another format
 */
function textScalar(refusal: string, read: (text: string) => unknown): Scalar {
  const valueOf = (value: unknown, node: ValueNode | null = null) => {
    const found = typeof value === 'string' ? read(value) : undefined;
    if (found === undefined) throw new GraphQLError(refusal, { nodes: node });
    return found;
  };
  return {
    parseValue: (value) => valueOf(value),
    parseLiteral: (node) => valueOf(node.kind === Kind.STRING ? node.value : undefined, node),
    serialize: (value) => valueOf(value),
  };
}

/** The first day of the calendar, which has no year 0. */
const FIRST_DAY = '0001-01-01';
const day = z.iso.date().refine((text) => text >= FIRST_DAY);

/**
 * ISO 8601-1, without the signs and fractions of years that some parsers accept. Nine digits exceed
 * the days of any calendar, and luxon is exact only up to JavaScript's safe integers.
 */
const DURATION =
  /^P(?=[\dT])(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?$/;

export const scalars = {
  UUID: valuesOf(UUIDResolver),
  JSONObject: valuesOf(JSONObjectResolver),
  /** A day of the calendar. Tables store it in the same format. */
  Date: textScalar(
    'A Date is a day of the calendar from the year 1 on, such as 2026-03-01.',
    (text) => day.safeParse(text).data,
  ),
  DateTime: {
    ...textScalar(
      'A DateTime is a moment of the years 1 to 9999 in the format of RFC 3339, such as 2026-03-01T09:30:00Z.',
      momentIn,
    ),
    serialize: (value: unknown) => (value as Date).toISOString(),
  },
  /** A text, as JSON's numbers are binary fractions. Each input checks which values it accepts. */
  Decimal: textScalar('A Decimal is a text, such as 12.50 in quotes.', (text) => text),
  Duration: textScalar(
    'A Duration is a length of time of ISO 8601, such as PT24H or P7D, with numbers of at most 9 digits.',
    (text) => (DURATION.test(text) ? text : undefined),
  ),
};
