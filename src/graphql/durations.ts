import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

/** The scalar Duration: a length of time as ISO 8601-1 has it, without the signs and the fractions of years that some accept. */

/** Nine digits are more than any calendar has days; luxon counts no further than JavaScript's numbers are exact. */
const DURATION =
  /^P(?=[\dT])(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?$/;

/** @throws GraphQLError, which becomes `BAD_USER_INPUT`; it says how a length of time is written, and does not repeat the value */
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
