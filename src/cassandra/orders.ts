import { z } from 'zod';
import { cql, DAY_BEFORE_ALL, uuid } from './columns.ts';

/** The order of the column types that lists are sorted by, and their form in cursors. */

/** Bounds before and after every moment of a list, and after every text. */
export const EARLIEST = new Date(-8_639_999_999_999_999);
export const LATEST = new Date(8_640_000_000_000_000);
const HIGHEST_TEXT = '\u{10FFFF}';
export const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The order of the values of a type. */
export interface Order {
  readonly lowest: unknown;
  readonly highest: unknown;
  /** Returns the value just before another one; unset for types without predecessors. */
  readonly before?: (value: never) => unknown;
  /** Encodes a value in JSON. */
  readonly json: z.ZodType;
}

/** Encodes a moment in JSON. */
export const jsonMoment = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (moment) => moment.toISOString(),
});

/** Encodes a 64-bit integer in JSON, whose own numbers have only 53 bits. */
const jsonBigint = z.codec(z.string().regex(/^-?\d{1,18}$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: String,
});

const FIRST_DAY = '0000-01-01';
function dayBefore(day: string): string {
  if (day === FIRST_DAY) return DAY_BEFORE_ALL;
  const at = new Date(day);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}

const orders = new Map<z.ZodType, Order>([
  [cql.text, { lowest: '', highest: HIGHEST_TEXT, json: z.string() }],
  [cql.int, { lowest: -(2 ** 31), highest: 2 ** 31 - 1, json: z.int32() }],
  [
    cql.bigint,
    { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n, before: (value: bigint) => value - 1n, json: jsonBigint },
  ],
  [
    cql.timestamp,
    { lowest: EARLIEST, highest: LATEST, before: (at: Date) => new Date(at.getTime() - 1), json: jsonMoment },
  ],
  [cql.uuid, { lowest: LOWEST_UUID, highest: HIGHEST_UUID, json: uuid }],
  [cql.date, { lowest: FIRST_DAY, highest: '9999-12-31', before: dayBefore, json: z.iso.date() }],
]);

/** @throws Error for a codec whose values have no declared order */
export function orderOf(codec: z.ZodType): Order {
  const order = orders.get(codec);
  if (!order) throw new Error('No list is ordered by values of this type');
  return order;
}
