import { isDeepStrictEqual } from 'node:util';
import { types } from 'cassandra-driver';
import pLimit from 'p-limit';
import { z } from 'zod';
import { keysInParts, whereKey } from './by-key.ts';
import { cql, modelOf, type Columns, type Values } from './columns.ts';
import { declareStatement, rows, write, type Cassandra, type PagedStatement, type Statement } from './statement.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

/**
 * Statements for audits: they scan a table along the ring of tokens, and read many rows by their
 * whole keys.
 */

/** The tokens of the whole ring are above the first one, up to and including the second one. */
export const LOWEST_TOKEN = -(2n ** 63n);
export const HIGHEST_TOKEN = 2n ** 63n - 1n;
/** The number of rows that a scan reads per page. */
export const SCANNED_ROWS = 50;
const STATEMENTS_AT_ONCE = 16;

/** The partitions with tokens above `above`, up to and including `up_to`. */
interface RingPart {
  readonly above: bigint;
  readonly up_to: bigint;
}

/** Reads rows together with the tokens of their partitions. */
export type RingScan<Row> = PagedStatement<RingPart, Row & { readonly ring_token: bigint }>;

/**
 * Declares a scan of a part of a table along the ring of tokens.
 * @param rowsPerPage lower if each row needs many further reads
 */
export const ringScan = <Row extends Columns>(
  table: string,
  partition: Columns,
  row: Row,
  rowsPerPage = SCANNED_ROWS,
): RingScan<Values<Row>> => scanning(table, partition, Object.keys(row), row, { rowsPerPage });

/** Declares a scan of the partition keys of a part of a table. */
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

/** A row with its write timestamp, if the table has a column that gives it. */
export type Written<Row> = Row & { readonly written?: bigint | null };

/**
 * The rows of a list that is projected from states, in the form in which an audit compares them.
 */
export interface ListedRows<Row, Key = Row> {
  readonly table: string;
  /** The names of the columns of the partition key. */
  readonly partition: readonly (keyof Row & string)[];
  readonly ring: RingScan<Written<Row>>;
  /** Returns false for the static columns of a partition that has no rows. */
  readonly isRow: (scanned: Row) => boolean;
  /** Returns the whole key of a row as the condition of a SELECT. */
  readonly nameOf: (row: Key) => string;
  /** Returns true if two rows with the same key have the same values. */
  readonly isSame: (one: Row, other: Row) => boolean;
  /** Reads the rows that exist among those with the keys of `wanted`. */
  readonly find: (cassandra: Cassandra, wanted: readonly Key[]) => Promise<Written<Row>[]>;
  /** Deletes a row with a version of its state. */
  readonly remove: (cassandra: Cassandra, row: Row, version: number) => Promise<void>;
}

/** A table whose rows follow from versions of states. */
interface List<Partition extends Columns, Order extends Columns, Read extends Columns> {
  readonly table: string;
  readonly partition: Partition;
  /** The clustering key. */
  readonly order: Order;
  readonly columns: Read;
  /** Deletes a row. It is unset for a list in which no row is ever surplus. */
  readonly delete?: Statement<Values<Partition> & Values<Order> & { version: bigint }, never>;
}

/**
 * Declares the rows of a list for an audit.
 * @param list usually a versioned list
 * @param options `writtenWith`: a column that is set in every row and whose write timestamp is that
 *   of the row; `hasStatics`: the table has static columns; `isWide`: rows that belong together
 *   have the same clustering key in many partitions, and the partition key is one column
 */
export function listedRows<Partition extends Columns, Order extends Columns, Read extends Columns>(
  list: List<Partition, Order, Read>,
  options: { writtenWith?: keyof Read & string; hasStatics?: true; isWide?: true } = {},
): ListedRows<Values<Partition> & Values<Order> & Values<Read>, Values<Partition> & Values<Order>> {
  type Key = Values<Partition> & Values<Order>;
  type Row = Key & Values<Read>;
  const { table, partition, order, columns: values } = list;
  const { writtenWith, hasStatics, isWide } = options;
  const columns = { ...partition, ...order, ...values };
  const selected = Object.keys(columns);
  if (writtenWith !== undefined) selected.push(`WRITETIME(${writtenWith}) AS written`);
  const row = { ...columns, ...(writtenWith !== undefined && { written: cql.bigint.nullable() }) };

  // One statement reads many places of one partition, or one place of many partitions.
  const [together, apart]: [Columns, Columns] = isWide ? [order, partition] : [partition, order];
  const select = declareStatement({
    cql: `SELECT ${selected.join(', ')} FROM ${table} ${whereKey(together)} AND ${placeOf(apart)} IN :places`,
    params: modelOf<Columns>({ ...together, places: z.array(placeCodec(apart)) }),
    row: modelOf(row),
  });

  // Fields that a later release added are no drift.
  const known = (of: Row) => Object.values(picked(of, values)).map(withoutUnknownFields);
  const textOf = (of: Key, names: Columns) =>
    Object.keys(names)
      .map((name) => `${name} = ${shown(of[name as keyof Key])}`)
      .join(' AND ');
  const findTogether = (cassandra: Cassandra, some: readonly Key[]) =>
    rows(cassandra, select, { ...picked(some[0], together), places: some.map((each) => picked(each, apart)) });
  return {
    table,
    partition: Object.keys(partition),
    ring: scanning(table, partition, selected, hasStatics ? { ...row, ...orNull({ ...order, ...values }) } : row),
    isRow: (scanned) => Object.keys(order).every((name) => scanned[name as keyof Row] !== null),
    nameOf: (of) => textOf(of, { ...partition, ...order }),
    isSame: (one, other) => isDeepStrictEqual(known(one), known(other)),
    find: async (cassandra, wanted) => {
      const groups = [...Map.groupBy(wanted, (each) => textOf(each, together)).values()].flatMap((some) =>
        keysInParts(some),
      );
      const found = await pLimit(STATEMENTS_AT_ONCE).map(groups, (some) => findTogether(cassandra, some));
      return found.flat();
    },
    remove: async (cassandra, of, version) => {
      const key = picked(of, { ...partition, ...order }) as Key;
      if (list.delete) await write(cassandra, list.delete, { ...key, version: BigInt(version) });
    },
  };
}

const orNull = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, codec]) => [name, codec.nullable()]));

const placeOf = (columns: Columns) => {
  const names = Object.keys(columns);
  return names.length === 1 ? names.join() : `(${names.join(', ')})`;
};

/** Encodes a value of `a IN :places` or `(a, b) IN :places` from an object with the columns. */
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
