import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { z } from 'zod';

/** The scalar Date: a calendar day in ISO 8601 format, in which it is stored as well. */

const day = z.iso.date();
/** There is no year 0. */
const FIRST_DAY = '0001-01-01';

/**
 * @throws `BAD_USER_INPUT` for other values; the message shows the format and does not repeat the
 *   value
 */
function dayOf(value: unknown, node: ValueNode | null = null): string {
  const { success, data } = day.safeParse(value);
  if (!success || data < FIRST_DAY)
    throw new GraphQLError('A Date is a day of the calendar from the year 1 on, such as 2026-03-01.', { nodes: node });
  return data;
}

export const DateResolver = new GraphQLScalarType({
  name: 'Date',
  parseValue: (value) => dayOf(value),
  parseLiteral: (node) => dayOf(node.kind === Kind.STRING ? node.value : undefined, node),
  serialize: (value) => dayOf(value),
});
