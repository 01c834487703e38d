import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

/** @throws GraphQLError, which becomes `BAD_USER_INPUT` about the field */
function textOf(value: unknown, node: ValueNode | null = null): string {
  if (typeof value !== 'string')
    throw new GraphQLError('A Decimal is a text, such as 12.50 in quotes.', { nodes: node });
  return value;
}

/**
 * The scalar Decimal: a string, as JSON's numbers are binary fractions. Each input checks which
 * values it accepts.
 */
export const DecimalResolver = new GraphQLScalarType({
  name: 'Decimal',
  parseValue: (value) => textOf(value),
  parseLiteral: (node) => textOf(node.kind === Kind.STRING ? node.value : undefined, node),
  serialize: (value) => textOf(value),
});
