import { GraphQLScalarType, Kind } from 'graphql';
import { badUserInput } from './errors.ts';

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw badUserInput('Decimal cannot represent a value that is not a string.');
  return value;
}

/** The scalar Decimal: a text, since JSON's numbers are binary fractions. Whoever takes one says which it accepts. */
export const DecimalResolver = new GraphQLScalarType({
  name: 'Decimal',
  parseValue: textOf,
  parseLiteral: (node) => textOf(node.kind === Kind.STRING ? node.value : undefined),
  serialize: textOf,
});
