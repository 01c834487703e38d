import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

/**
 * The scalar Duration: an ISO 8601-1 duration, without the signs and fractions of years that some
 * parsers accept.
 */

/**
 * Nine digits exceed the days of any calendar, and luxon is exact only up to JavaScript's safe
 * integers.
 */
const DURATION =
  /^P(?=[\dT])(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?$/;

/**
 * @throws GraphQLError, which becomes `BAD_USER_INPUT`; the message shows the format and does not
 *   repeat the value
 */
function durationOf(value: unknown, node: ValueNode | null = null): string {
  if (typeof value === 'string' && DURATION.test(value)) return value;
  throw new GraphQLError(
    'A Duration is a length of time of ISO 8601, such as PT24H or P7D, with numbers of at most 9 digits.',
    {
      nodes: node,
    },
  );
}

export const DurationResolver = new GraphQLScalarType({
  name: 'Duration',
  parseValue: (value) => durationOf(value),
  parseLiteral: (node) => durationOf(node.kind === Kind.STRING ? node.value : undefined, node),
  serialize: (value) => durationOf(value),
});
