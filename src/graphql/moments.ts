import { GraphQLScalarType, Kind } from 'graphql';
import { DateTimeISOResolver } from 'graphql-scalars';

/** The scalar DateTime: a moment. The offset that it was written with says which day it was for whoever wrote it. */

const offsets = new WeakMap<Date, number>();

function remembered(at: Date, text: unknown): Date {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(String(text)) ?? [];
  if (sign !== undefined) offsets.set(at, Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)));
  return at;
}

/** The offset from UTC that a moment of an input was written with, in minutes; 0 where it had none. */
export const offsetOf = (at: Date): number => offsets.get(at) ?? 0;

export const DateTimeResolver = new GraphQLScalarType<Date, unknown>({
  name: 'DateTime',
  parseValue: (value) => remembered(DateTimeISOResolver.parseValue(value), value),
  parseLiteral: (node, variables) =>
    remembered(DateTimeISOResolver.parseLiteral(node, variables), node.kind === Kind.STRING ? node.value : ''),
  serialize: (value) => DateTimeISOResolver.serialize(value),
});
