import { isDeepStrictEqual } from 'node:util';
import { types } from 'cassandra-driver';
import pLimit from 'p-limit';
import { z } from 'zod';
import { whereKey } from './by-key.ts';
import { cql, modelOf, type Columns, type Values } from './codecs.ts';
import { keysInParts } from './row-loader.ts';
import { declareStatement, rows, type Cassandra, type PagedStatement } from './statement.ts';

/** Tables as an audit reads them: from end to end along the ring of tokens, and many rows by their whole keys. */

/** How many rows of the ring are read at once. */
export const SCANNED_ROWS = 50;
const STATEMENTS_AT_ONCE = 16;

/** The partitions whose tokens are above one and up to another one. */
interface RingPart {
  readonly above: bigint;
  readonly up_to: bigint;
}

/** Reads rows, each with the token of its partition. */
export type RingScan<Row> = PagedStatement<RingPart, Row & { readonly ring_token: bigint }>;

/**
 * Declares the reading of a part of a table along the ring of tokens.
 * @param rowsPerPage fewer, where much follows from each row
 */
export const ringScan = <Row extends Columns>(
  table: string,
  partition: Columns,
  row: Row,
  rowsPerPage = SCANNED_ROWS,
): RingScan<Values<Row>> => scanning(table, partition, Object.keys(row), row, { rowsPerPage });

/** Declares the reading of the keys of the partitions of a part of a table. */
export const partitionScan = <Key extends Columns>(table: string, partition: Key): RingScan<Values<Key>> =>
  scanning(table, partition, Object.keys(partition), partition, { distinct: 'DISTINCT ' });

function scanning<Row extends Columns>(
  table: string,
  partition: Columns,
  selected: readonly string[],
  row: Row,
  { distinct = '', rowsPerPage = SCANNED_ROWS } = {},
): RingScan<Values<Row>> {
  const token = `token(${Object.keys(partition).join(', ')})`;
  return declareStatement({
    cql: `SELECT ${distinct}${token} AS ring_token, ${selected.join(', ')} FROM ${table}
        WHERE ${token} > :above AND ${token} <= :up_to`,
    params: cql.row({ above: cql.bigint, up_to: cql.bigint }),
    row: modelOf({ ring_token: cql.bigint, ...row }),
    rowsPerPage,
  });
}

/** A row with its write timestamp, where a column of the table tells it. */
export type Written<Row> = Row & { readonly written?: bigint | null };

/** The rows of a list that is projected from states, as an audit compares them. */
export interface ListedRows<Row> {
  readonly table: string;
  /** The columns of its partition key. */
  readonly partition: readonly (keyof Row & string)[];
  readonly ring: RingScan<Written<Row>>;
  /** Whether what the ring has is a row, not only the static columns of a partition without rows. */
  readonly isRow: (scanned: Row) => boolean;
  /** A row's whole key, as the condition of a SELECT. */
  readonly nameOf: (row: Row) => string;
  /** Whether two rows of the same key say the same. */
  readonly isSame: (one: Row, other: Row) => boolean;
  /** Those that are there, of the rows with the keys of these. */
  readonly find: (cassandra: Cassandra, wanted: readonly Row[]) => Promise<Written<Row>[]>;
}

/**
 * Declares the rows of a list as an audit reads them.
 * @param declaration `order`: the clustering key; `values`: what else a row says; `writtenWith`: a value that every row has, whose
 *   write timestamp is that of the row; `hasStatics`: the table has static columns; `isWide`: what belongs together is at the same place of many partitions, whose key is one
 *   column
 */
export function listedRows<Partition extends Columns, Order extends Columns, Read extends Columns>(declaration: {
  table: string;
  partition: Partition;
  order: Order;
  values: Read;
  writtenWith?: keyof Read & string;
  hasStatics?: true;
  isWide?: true;
}): ListedRows<Values<Partition> & Values<Order> & Values<Read>> {
  type Row = Values<Partition> & Values<Order> & Values<Read>;
  const { table, partition, order, values, writtenWith, hasStatics, isWide } = declaration;
  const columns = { ...partition, ...order, ...values };
  const selected = Object.keys(columns);
  if (writtenWith !== undefined) selected.push(`WRITETIME(${writtenWith}) AS written`);
  const row = { ...columns, ...(writtenWith !== undefined && { written: cql.bigint.nullable() }) };

  // One statement asks for many places of one partition, or for one place of many partitions.
  const [together, apart]: [Columns, Columns] = isWide ? [order, partition] : [partition, order];
  const select = declareStatement({
    cql: `SELECT ${selected.join(', ')} FROM ${table} ${whereKey(together)} AND ${placeOf(apart)} IN :places`,
    params: modelOf<Columns>({ ...together, places: z.array(placeCodec(apart)) }),
    row: modelOf(row),
  });

  const textOf = (of: Row, names: Columns) =>
    Object.keys(names)
      .map((name) => `${name} = ${shown(of[name as keyof Row])}`)
      .join(' AND ');
  const findTogether = (cassandra: Cassandra, some: readonly Row[]) =>
    rows(cassandra, select, { ...picked(some[0], together), places: some.map((each) => picked(each, apart)) });
  return {
    table,
    partition: Object.keys(partition),
    ring: scanning(
      table,
      partition,
      selected,
      hasStatics ? { ...row, ...orNull({ ...order, ...values }) } : row,
    ) as unknown as RingScan<Written<Row>>,
    isRow: (scanned) => Object.keys(order).every((name) => scanned[name as keyof Row] !== null),
    nameOf: (of) => textOf(of, { ...partition, ...order }),
    isSame: (one, other) => isDeepStrictEqual(picked(one, values), picked(other, values)),
    find: async (cassandra, wanted) => {
      const groups = [...Map.groupBy(wanted, (each) => textOf(each, together)).values()].flatMap((some) =>
        keysInParts(some),
      );
      const found = await pLimit(STATEMENTS_AT_ONCE).map(groups, (some) => findTogether(cassandra, some));
      return found.flat() as unknown as Written<Row>[];
    },
  };
}

const orNull = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, codec]) => [name, codec.nullable()]));

const placeOf = (columns: Columns) => {
  const names = Object.keys(columns);
  return names.length === 1 ? names.join() : `(${names.join(', ')})`;
};

/** A value of `a IN :places`, or of `(a, b) IN :places`; on our side the columns by their names. */
function placeCodec(columns: Columns): z.ZodType {
  const [only, ...others] = Object.entries(columns);
  return z.codec(z.unknown(), z.record(z.string(), z.unknown()), {
    decode: () => ({}),
    encode: (place) => {
      const encoded = Object.entries(columns).map(([name, codec]) => z.encode(codec, place[name]));
      return only && others.length === 0 ? encoded[0] : types.Tuple.fromArray(encoded);
    },
  });
}

const picked = (row: unknown, columns: Columns): Record<string, unknown> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, (row as Record<string, unknown>)[name]]));

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
