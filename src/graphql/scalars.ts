import type { GraphQLScalarType } from 'graphql';
import { JSONObjectResolver, UUIDResolver } from 'graphql-scalars';
import { DateResolver } from './dates.ts';
import { DecimalResolver } from './decimal.ts';
import { DurationResolver } from './durations.ts';
import { DateTimeResolver } from './moments.ts';

/**
 * The functions that read and write a scalar's values. Its name and description come from
 * `schema.graphql`.
 */
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
