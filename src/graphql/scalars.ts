import type { GraphQLScalarType } from 'graphql';
import { JSONObjectResolver, UUIDResolver } from 'graphql-scalars';
import { DateResolver } from './dates.ts';
import { DecimalResolver } from './decimal.ts';
import { DurationResolver } from './durations.ts';
import { DateTimeResolver } from './moments.ts';

/** How the values of a scalar are read and written; its name and what is said about it are those of `schema.graphql` alone. */
const valuesOf = ({ serialize, parseValue, parseLiteral }: GraphQLScalarType) => ({
  serialize,
  parseValue,
  parseLiteral,
});

/** The scalars of the schema. */
export const scalars = {
  UUID: valuesOf(UUIDResolver),
  Date: valuesOf(DateResolver),
  Decimal: valuesOf(DecimalResolver),
  DateTime: valuesOf(DateTimeResolver),
  Duration: valuesOf(DurationResolver),
  JSONObject: valuesOf(JSONObjectResolver),
};
