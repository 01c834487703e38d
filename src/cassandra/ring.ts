import { isDeepStrictEqual } from 'node:util';
import { types } from 'cassandra-driver';
import pLimit from 'p-limit';
import { z } from 'zod';
import { keysInParts } from './statement-builders.ts';
import { conditionOf, cql, modelOf, pickColumns, type Columns, type Values } from './columns.ts';
import { declareStatement, rows, type Cassandra, type PagedStatement } from './statement.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

/**
 * Statements for audits: they scan a table along the ring of tokens, and read many rows by their
 * whole keys.
 */

/**
 * The bounds of the ring: its tokens are above the first one, up to and including the second one.
 */
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

/** The rows of a list, in the form that an audit compares. */
export interface ListedRows<Row, Key = Row> {
  readonly table: string;
  /** The columns of the partition key, and those of the whole row. */
  readonly partition: readonly string[];
  readonly columns: readonly string[];
  readonly ring: RingScan<Written<Row>>;
  /** Returns false for the static columns of a partition that has no rows. */
  readonly isRow: (scanned: Row) => boolean;
  /** Returns the whole key of a row as the condition of a SELECT. */
  readonly nameOf: (row: object) => string;
  /** Returns true if two rows with the same key have the same values. */
  readonly isSame: (one: Row, other: Row) => boolean;
  /** Reads the rows that exist among those with the keys of `wanted`. */
  readonly find: (cassandra: Cassandra, wanted: readonly Key[]) => Promise<Written<Row>[]>;
}

/** A table whose rows follow from states. */
export interface ListTable {
  readonly table: string;
  readonly partition: Columns;
  /** The clustering key. */
  readonly order: Columns;
  /** The other columns. The first one is set in every row, and its write timestamp is the row's. */
  readonly columns: Columns;
  readonly hasStatics?: boolean;
}

/** The key of a row of a list, and the whole row. */
export type KeyIn<Table extends ListTable> = Values<Table['partition']> & Values<Table['order']>;
export type RowIn<Table extends ListTable> = KeyIn<Table> & Values<Table['columns']>;

/**
 * Declares the rows of a list for an audit.
 * @param isWide true if the rows of a state have the same clustering key in many partitions, and
 *   the partition key is one column
 */
export function listedRows<Table extends ListTable>(
  list: Table,
  isWide: boolean,
): ListedRows<RowIn<Table>, KeyIn<Table>> {
  type Row = RowIn<Table>;
  const { table, partition, order, columns: values, hasStatics = false } = list;
  const key = { ...partition, ...order };
  const columns = { ...key, ...values };
  const selected = Object.keys(columns);
  const [writtenWith] = Object.keys(values);
  if (writtenWith !== undefined) selected.push(`WRITETIME(${writtenWith}) AS written`);
  const row = { ...columns, ...(writtenWith !== undefined && { written: cql.bigint.nullable() }) };

  // Fields that a later release added are not drift.
  const known = (of: Row) => Object.values(pickColumns(of, values)).map(withoutUnknownFields);
  // One statement reads many clustering keys of one partition, or one clustering key of many
  // partitions.
  const [together, apart]: [Columns, Columns] = isWide ? [order, partition] : [partition, order];
  return {
    table,
    partition: Object.keys(partition),
    columns: Object.keys(columns),
    ring: scanning(
      table,
      partition,
      selected,
      hasStatics ? { ...row, ...orNull({ ...order, ...values }) } : row,
    ) as RingScan<Written<Row>>,
    isRow: (scanned) => Object.keys(order).every((name) => scanned[name as keyof Row] !== null),
    nameOf: (of) => conditionOf(of, Object.keys(key)),
    isSame: (one, other) => isDeepStrictEqual(known(one), known(other)),
    find: rowsAmong(table, together, apart, row, selected),
  };
}

/**
 * Declares the read of many rows by their whole keys.
 * @param together the columns in which the rows of a statement agree
 * @param apart the other columns of the key
 */
export function rowsAmong<Row>(
  table: string,
  together: Columns,
  apart: Columns,
  row: Columns,
  selected = Object.keys(row),
): (cassandra: Cassandra, wanted: readonly object[]) => Promise<Row[]> {
  const where = [...Object.keys(together).map((name) => `${name} = :${name}`), `${placeOf(apart)} IN :places`];
  const select = declareStatement({
    cql: `SELECT ${selected.join(', ')} FROM ${table} WHERE ${where.join(' AND ')}`,
    params: modelOf<Columns>({ ...together, places: z.array(placeCodec(apart)) }),
    row: modelOf(row) as z.ZodType<Row>,
  });

  return async (cassandra, wanted) => {
    const groups = [...Map.groupBy(wanted, (each) => conditionOf(each, Object.keys(together))).values()].flatMap(
      (some) => keysInParts(some),
    );
    const found = await pLimit(STATEMENTS_AT_ONCE).map(groups, (some) =>
      rows(cassandra, select, {
        ...pickColumns(some[0], together),
        places: some.map((each) => pickColumns(each, apart)),
      }),
    );
    return found.flat();
  };
}

const orNull = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, codec]) => [name, codec.nullable()]));

const placeOf = (columns: Columns) => {
  const names = Object.keys(columns);
  return names.length === 1 ? names.join() : `(${names.join(', ')})`;
};

/** Encodes an object with the columns as a value of `a IN :places` or `(a, b) IN :places`. */
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
