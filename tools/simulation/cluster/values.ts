import { types } from 'cassandra-driver';

/** Values of the driver: their order, and their conversion to keys and texts. */

export type Value = unknown;
export type Values = Readonly<Record<string, Value>>;
export type Row = Record<string, Value>;

/** A stand-in for a value that can be ordered. */
export type Comparable = number | string | bigint;

export function comparable(value: Value): Comparable {
  if (value instanceof Date) return value.getTime();
  if (value instanceof types.Uuid) return bytesOf(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value;
  return encode(value);
}

export const compare = (one: Comparable, other: Comparable): number => (one < other ? -1 : one > other ? 1 : 0);

/** Compares tuples up to the length of the shorter one. */
export function compareAll(one: readonly Comparable[], other: readonly Comparable[]): number {
  for (const [index, own] of one.entries()) {
    const its = other[index];
    if (its === undefined) return 0;
    const order = compare(own, its);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Returns a number that a statement contains as a marker or a literal; `undefined` if it has none.
 */
export function numberOf(text: string | undefined, values: Values): number | undefined {
  if (text === undefined) return undefined;
  return Number(/^\d+$/.test(text) ? text : values[text]);
}

const bytesOf = (uuid: types.Uuid): string => (uuid as unknown as { buffer: Buffer }).buffer.toString('latin1');

/** Encodes a value as a text. Equal values have equal texts. */
export function encode(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof types.Uuid) return bytesOf(value);
  if (value instanceof Date) return `@${value.getTime()}`;
  if (value instanceof types.Tuple) return encode(value.values());
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  if (value instanceof types.LocalDate) return value.toString();
  if (typeof value === 'object' && value !== null) {
    let text = '{';
    for (const name of Object.keys(value).sort()) text += `${name}:${encode((value as Row)[name])},`;
    return `${text}}`;
  }
  return String(value);
}

const valuesOfBytes = new WeakMap<Buffer, Value>();

/** Encodes a value as bytes, as the product does with a value that is written into many rows. */
export function bytesFrom(value: Value): Buffer {
  const bytes = Buffer.from(encode(value));
  valuesOfBytes.set(bytes, value);
  return bytes;
}

/** Decodes such bytes; any other value is unchanged. */
export const valueFrom = (value: Value): Value => (value instanceof Buffer ? valuesOfBytes.get(value) : value);

/** Formats a value for people. */
export function show(value: Value): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof types.Uuid || value instanceof types.LocalDate) return value.toString();
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `${name}: ${show(each)}`)
      .join(', ')}}`;
  return String(value);
}
