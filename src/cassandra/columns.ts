import { types, type Client } from 'cassandra-driver';
import { z } from 'zod';
import type { Cassandra } from './statement.ts';

/** The columns of a statement or a table, with their codecs. */
export type Columns = Readonly<Record<string, z.ZodType>>;

/**
 * The day before the first date that ISO 8601 writes with a year of four digits. No row has it, but
 * a range may begin after it.
 */
export const DAY_BEFORE_ALL = '-0001-12-31';

/** The decoded values of columns; `unknown` without columns. */
export type Values<C extends Columns | undefined> = C extends Columns
  ? { readonly [Name in keyof C]: z.output<NonNullable<C[Name]>> }
  : unknown;

/**
 * A UUID of any version and variant, because clients make the ids of clicks and callers may send
 * any UUID. `z.uuid()` refuses many UUIDs that Cassandra accepts.
 */
export const uuid = z.guid();

/**
 * A codec for each type of CQL, between the driver's values and ours. They decode rows and encode
 * the values of statements.
 */
export const cql = {
  text: z.string(),
  int: z.int(),
  bigint: z.bigint(),
  boolean: z.boolean(),
  double: z.number(),
  timestamp: z.date(),
  /** A `uuid` or `timeuuid`, decoded to a string. */
  uuid: z.codec(z.unknown(), uuid, {
    decode: String,
    encode: (text) => types.Uuid.fromString(text),
  }),
  /** A `date`, decoded to a string such as `2026-03-01`. */
  date: z.codec(z.instanceof(types.LocalDate), z.iso.date().or(z.literal(DAY_BEFORE_ALL)), {
    decode: (date) => date.toString(),
    encode: (text) => types.LocalDate.fromString(text),
  }),
  /** A tuple, as a value of `(a, b) IN :list`. */
  tuple: <One extends z.ZodType, Other extends z.ZodType>(one: One, other: Other) =>
    z.codec(z.instanceof(types.Tuple), z.tuple([one, other]), {
      decode: (tuple) => tuple.values() as never,
      encode: (values) => types.Tuple.fromArray([...values]),
    }),
  /**
   * A value that is not written if it is null, because writing a null is a deletion and leaves a
   * tombstone.
   */
  unlessNull: <Type extends z.ZodType>(type: Type) =>
    z.codec(z.unknown(), type.nullable(), {
      decode: (value) => value as z.input<Type>,
      encode: (value) => value ?? types.unset,
    }),
  /**
   * A text that is one of some values. A later release may have written other values. They must not
   * make a page fail.
   * @param otherwise the value that replaces an unknown one. The state of an aggregate keeps the
   *   unknown value until it is changed
   */
  oneOf: <const Value extends string>(values: readonly Value[], otherwise: Value) =>
    z.enum(values as readonly [Value, ...Value[]]).catch(otherwise),
  /** A list. Cassandra stores an empty list as null. */
  list: <Item extends z.ZodType>(item: Item) =>
    z.codec(z.unknown(), z.array(item), {
      decode: (items) => (items ?? []) as z.input<Item>[],
      encode: (items) => items,
    }),
  /** The model of a row: exactly the columns that the statement selects. */
  row: <Columns extends z.ZodRawShape>(columns: Columns) => z.strictObject(columns),
} as const;

/** The model of a row, or of a statement's values, whose columns only the caller's types know. */
export const modelOf = <C extends Columns>(columns: C) => z.strictObject(columns) as unknown as z.ZodType<Values<C>>;

/** Returns some columns of a row. */
export const pickColumns = (row: unknown, columns: Columns): Record<string, unknown> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, (row as Record<string, unknown>)[name]]));

/** Returns some columns of a row as the condition of a SELECT, which names the row or partition. */
export const conditionOf = (row: unknown, names: readonly string[]): string =>
  names.map((name) => `${name} = ${shown((row as Record<string, unknown>)[name])}`).join(' AND ');

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

/** The driver's own encoder, which is missing in its types. */
type Encoding = Client & {
  _getEncoder: () => { encode: (value: unknown, type: { code: types.dataTypes; info: unknown }) => Buffer };
};

/**
 * Encodes a value of a user-defined type. The driver sends a buffer unchanged, so a value that is
 * written into many rows has to be encoded only once.
 * @param type the name of the type
 */
export async function encodeUdt({ client }: Cassandra, type: string, value: object): Promise<Buffer> {
  const info = await client.metadata.getUdt(client.keyspace, type);
  return (client as Encoding)._getEncoder().encode(value, { code: types.dataTypes.udt, info });
}
